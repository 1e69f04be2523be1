/** A session of a coding agent, unchanged, with the settings that customers paste. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import {
  type AgentSettings,
  codingAgents,
} from '../../router/dashboard/pages/keys/coding-agents.ts';
import type { Up } from '../support/up.ts';
import { installed } from './installed.ts';
import { type Step, type Tool, TOOLS, type Used } from './tools.ts';

export const SESSION_MS_MAX = 120_000;

/** A home of its own, with a repository that has one file. Nothing but loopback can be reached. */
class Place implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async make(): Promise<Place> {
    const place = new Place(await mkdtemp(join(tmpdir(), 'penstock-agent-')));
    await mkdir(place.work, { recursive: true });
    await mkdir(place.home);
    await writeFile(place.file, 'one\ntwo\n');
    const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      [...author, 'commit', '-qm', 'notes'],
    ]) {
      await promisify(execFile)('git', args, { cwd: place.work });
    }
    return place;
  }

  get home(): string {
    return join(this.#folder, 'home');
  }

  get work(): string {
    return join(this.#folder, 'work');
  }

  get file(): string {
    return join(this.work, 'notes.txt');
  }

  get log(): string {
    return join(this.#folder, 'log');
  }

  async paste({ file }: AgentSettings): Promise<void> {
    if (file === null) return;
    const path = file.path.replace(/^~/, () => this.home);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, file.text);
  }

  /** Runs the commands of the settings, the last one with the flags. Returns the output. */
  async run({ commands }: AgentSettings, tool: Tool, prompt: string): Promise<string> {
    const nowhere = 'http://127.0.0.1:9';
    const bin = await installed(tool.package);
    const child = spawn(
      'bash',
      ['--norc', '-euc', `${commands} "$@"`, 'bash', ...tool.flags({ prompt, log: this.log })],
      {
        cwd: this.work,
        stdio: ['pipe', 'pipe', 'pipe'],
        env: {
          PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
          HOME: this.home,
          HTTP_PROXY: nowhere,
          HTTPS_PROXY: nowhere,
          NO_PROXY: '127.0.0.1,localhost',
          ...tool.env,
        },
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        output += text.toString();
      });
    }
    child.stdin.end(tool.readsInput ? prompt : '');
    const timer = AbortSignal.timeout(SESSION_MS_MAX);
    const [code] = (await once(child, 'close', { signal: timer })) as [number | null];
    expect(code, output).toBe(0);
    return output;
  }

  /** Ends the processes that the agent left behind: those with its home. */
  async #endProcesses(): Promise<void> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    for (const pid of pids) {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      if (environment.split('\0').includes(`HOME=${this.home}`)) end(Number(pid));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endProcesses();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** What the model is told to do, in a language of its own. */
export type Prompt = (steps: readonly Step[]) => string;

/** Plays a session, and returns what the agent says that it used, and what the ledger has. */
export async function session(
  up: Up,
  name: string,
  model: string,
  promptOf: Prompt,
): Promise<{ told: Used; billed: Used }> {
  const tool = TOOLS[name] as Tool;
  const { id, key } = await up.customer(`${name} ${model}`);
  const settings = codingAgents({
    baseUrl: up.ready.base_url,
    model: { id: model, contextTokens: 262_144, answerTokens: 65_536 },
    key,
  })[name] as AgentSettings;
  await using place = await Place.make();
  await place.paste(settings);
  const output = await place.run(settings, tool, promptOf(tool.steps(place.file)));
  expect(await readFile(place.file, 'utf8'), output).toBe('one\nthree\n');
  const rows = await up.usage(id);
  expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 200));
  const total = (field: 'prompt_tokens' | 'cached_tokens' | 'completion_tokens') =>
    rows.reduce((sum, row) => sum + row[field], 0);
  return {
    told: tool.used(output, await readFile(place.log, 'utf8').catch(() => '')),
    billed: {
      prompt: total('prompt_tokens'),
      cached: total('cached_tokens'),
      completion: total('completion_tokens'),
    },
  };
}
