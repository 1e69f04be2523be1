/**
 * One process of the fleet under torture: a real `penstock …` that can be killed, paused, stopped
 * and restarted.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { atExit } from './leftovers.ts';

export const PENSTOCK = fileURLToPath(new URL('../../bin/penstock', import.meta.url));
const READY_MS_MAX = 120_000;
/** How much of the end of a process's output is kept for a report. */
const OUTPUT_CHARS_MAX = 64_000;

export class Process {
  readonly name: string;
  readonly args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  /** The command prefix, to run the process elsewhere. */
  readonly #prefix: readonly string[];
  /** The program of the next start, which may be that of another release. */
  program = PENSTOCK;
  #child: ChildProcess | null = null;
  #output = '';

  constructor(
    name: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    prefix: readonly string[] = [],
  ) {
    this.#prefix = prefix;

    this.name = name;
    this.args = args;
    this.#env = env;
  }

  /** Starts the process, and resolves with its ready message. */
  async start(): Promise<Readonly<Record<string, string>>> {
    if (this.isRunning) throw new Error(`${this.name} runs already`);
    // The IPC channel carries the ready message, and its closing ends the child whenever and
    // however we end.
    const { program } = this;
    const [command = program, ...args] = [...this.#prefix, program, ...this.args];
    const child = spawn(command, args, {
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    // A paused process would not notice that the channel is closed.
    child.once(
      'exit',
      atExit(() => child.kill('SIGKILL')),
    );
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text: Buffer) => {
        this.#output = (this.#output + text.toString()).slice(-OUTPUT_CHARS_MAX);
      });
    }
    const late = AbortSignal.timeout(READY_MS_MAX);
    try {
      const first = await Promise.race([
        once(child, 'message', { signal: late }).then(([said]) => ({ said: said as object })),
        once(child, 'exit', { signal: late }).then(([status]) => ({ status: Number(status) })),
      ]);
      if ('said' in first) return first.said as Readonly<Record<string, string>>;
      throw new Error(`${this.name} ended with status ${first.status} before it was ready`);
    } catch (error) {
      child.kill('SIGKILL');
      throw new Error(`${this.name} did not start: ${String(error)}\n${this.#output}`, {
        cause: error,
      });
    }
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    if (!this.isRunning || !this.#child?.pid) throw new Error(`${this.name} does not run`);
    return this.#child.pid;
  }

  /** The end of the process's output so far, over all its runs. */
  get output(): string {
    return this.#output;
  }

  /** `kill -9`. Resolves when the process has exited. */
  async kill(): Promise<void> {
    if (!this.isRunning || !this.#child) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  /** `kill -STOP`: the process stays alive and does nothing. */
  pause(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  /** `kill -CONT` */
  resume(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  /**
   * Sends SIGTERM, and SIGKILL if the process still runs after `msMax`. Returns the exit status, or
   * null if the process was killed or did not run.
   */
  async stop(msMax: number): Promise<number | null> {
    if (!this.isRunning || !this.#child) return null;
    const gone = once(this.#child, 'exit');
    const late = setTimeout(() => this.#child?.kill('SIGKILL'), msMax);
    this.#child.kill('SIGCONT');
    this.#child.kill('SIGTERM');
    await gone;
    clearTimeout(late);
    return this.#child.exitCode;
  }
}
