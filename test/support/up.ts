/** Runs a real `penstock up` in its own folder on free ports, and drives it as its users do. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { RefusalEntry } from '../../shared/api/refusals.ts';

const PENSTOCK = fileURLToPath(new URL('../../bin/penstock', import.meta.url));

export type ReadyFile = Readonly<{
  base_url: string;
  dashboard_url: string;
  metrics_url: string;
  /**
   * Set with `--regions`: the base URL of each region, and the region and engine URL of each host.
   */
  regions?: Record<'global' | 'us' | 'eu', string>;
  hosts?: Record<string, { region: string; engine_url: string }>;
  organization: { id: string; name: string };
  api_key: string;
  operator: { email: string; password: string; token: string };
  pid: number;
  pids: { router: number; agent: number; sim: number; [host: string]: number };
}>;

export type UsageRow = Readonly<{
  request_id: string;
  completion_id: string;
  model: string;
  key_id: string;
  source: string;
  prompt_tokens: number;
  cached_tokens: number;
  completion_tokens: number;
  cost: string;
  status: number;
  created: string;
}>;

/**
 * Polls `probe` until it returns something truthy. For state that only another process can know.
 */
export async function until<T>(
  probe: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  what: string,
  msMax = 20_000,
): Promise<T> {
  const deadline = performance.now() + msMax;
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`waited ${msMax} ms in vain: ${what}`);
    await pause(20);
  }
}

export class Up implements AsyncDisposable {
  readonly folder: string;
  /** The ready file of the first run. The ready file of a later run has no key. */
  first!: ReadyFile;
  ready!: ReadyFile;
  readonly #flags: readonly string[];
  /** The command of this checkout, or of another one. */
  readonly #program: string;
  #process!: ChildProcess;
  #output = '';

  private constructor(folder: string, flags: readonly string[], program: string) {
    this.folder = folder;
    this.#flags = flags;
    this.#program = program;
  }

  static async start(flags: readonly string[] = [], program = PENSTOCK): Promise<Up> {
    const up = new Up(await mkdtemp(join(tmpdir(), 'penstock-')), flags, program);
    await up.run().catch(async (error: unknown) => {
      await up.killAll();
      throw error;
    });
    up.first = up.ready;
    return up;
  }

  /** Starts the process, or starts it again on the same data. */
  async run(): Promise<void> {
    const readyFile = join(this.folder, 'ready.json');
    await rm(readyFile, { force: true });
    this.#process = spawn(
      this.#program,
      ['up', '--port', '0', '--data', this.data, '--ready-file', readyFile, ...this.#flags],
      // The process gets its own process group, so that a test can kill all of it at once.
      { detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.#output = '';
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.on('data', (text: Buffer) => {
        this.#output += text.toString();
      });
    }
    const text = await until(
      () => {
        if (this.#process.exitCode !== null) throw new Error(`up ended:\n${this.#output}`);
        return readFile(readyFile, 'utf8').catch(() => null);
      },
      'the ready file',
      60_000,
    );
    this.ready = JSON.parse(text) as ReadyFile;
  }

  /** Reads the ready file again. The file is rewritten when a part of the service restarts. */
  async readAgain(): Promise<ReadyFile> {
    this.ready = JSON.parse(await readFile(join(this.folder, 'ready.json'), 'utf8')) as ReadyFile;
    return this.ready;
  }

  get data(): string {
    return join(this.folder, 'data');
  }

  get origin(): string {
    return new URL(this.ready.base_url).origin;
  }

  get output(): string {
    return this.#output;
  }

  /** Runs `penstock admin … --json` and returns the parsed output. */
  async admin<T = unknown>(...args: string[]): Promise<T> {
    const { stdout } = await promisify(execFile)(
      this.#program,
      ['admin', '--url', this.origin, ...args, '--json'],
      {
        env: { ...process.env, PENSTOCK_OPERATOR_TOKEN: this.first.operator.token },
        maxBuffer: 256 * 1024 * 1024,
      },
    );
    return JSON.parse(stdout) as T;
  }

  /** Creates an organization and a key for it. */
  async customer(
    name: string,
    ...flags: string[]
  ): Promise<{ id: string; key: string; keyId: string }> {
    const create = ['organization', 'create', '--name', name, ...flags];
    const { id } = await this.admin<{ id: string }>(...create);
    const createKey = ['key', 'create', '--name', 'k', '--organization', id];
    const made = await this.admin<{ id: string; key: string }>(...createKey);
    return { id, key: made.key, keyId: made.id };
  }

  usage(organization = this.first.organization.id): Promise<UsageRow[]> {
    return this.admin<UsageRow[]>('usage', 'list', '--organization', organization);
  }

  /**
   * The refused requests of an organization, the latest first. They are written some time after
   * their answers, so a test waits for them before it opens a page that shows them.
   */
  async refusals(organization: string): Promise<readonly RefusalEntry[]> {
    return (await this.api('GET', `/organizations/${organization}/refusals`)).data;
  }

  credit(organization = this.first.organization.id): Promise<{ balance: string; held: string }> {
    return this.admin('credit', 'show', '--organization', organization);
  }

  /** Runs `penstock ledger verify`, and returns its exit status and its output. */
  async verify(): Promise<{ status: number; output: string }> {
    return await promisify(execFile)(this.#program, ['ledger', 'verify', '--data', this.data]).then(
      ({ stdout }) => ({ status: 0, output: stdout }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        status: error.code,
        output: error.stdout + error.stderr,
      }),
    );
  }

  /**
   * Calls the management API as the operator, and returns the answer. Throws if the call is refused.
   */
  // `any`, because each test states the shape of the answer that it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  async api(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(`${this.origin}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.first.operator.token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  post(path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
    return fetch(this.ready.base_url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.first.api_key}`,
        'content-type': 'application/json',
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
    });
  }

  async metrics(): Promise<string> {
    return await (await fetch(this.ready.metrics_url)).text();
  }

  /** Sends SIGKILL to the whole process group, as if the machine lost power. */
  async killAll(): Promise<void> {
    if (this.#isRunning()) {
      process.kill(-(this.#process.pid as number), 'SIGKILL');
      await once(this.#process, 'exit');
    }
  }

  #isRunning(): boolean {
    const { exitCode, signalCode } = this.#process;
    return exitCode === null && signalCode === null;
  }

  async stop(): Promise<number | null> {
    if (this.#isRunning()) {
      this.#process.kill('SIGTERM');
      await once(this.#process, 'exit');
    }
    return this.#process.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
