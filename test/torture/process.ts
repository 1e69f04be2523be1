/** One process of the fleet under torture: a real `penstock …`, killed, stopped and started again by its pid. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { atExit } from './leftovers.ts';

export const PENSTOCK = fileURLToPath(new URL('../../bin/penstock', import.meta.url));
const READY_MS_MAX = 120_000;
/** Of what a process said, this much of the end is kept for a report. */
const OUTPUT_CHARS_MAX = 64_000;

export class Process {
  readonly name: string;
  readonly args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  /** What its command line begins with, to run it elsewhere. */
  readonly #prefix: readonly string[];
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

  /** Starts it, and resolves with what it says once it serves. */
  async start(): Promise<Readonly<Record<string, string>>> {
    if (this.isRunning) throw new Error(`${this.name} runs already`);
    // With a channel to us it ends when we end, however we end, and it says when it is ready.
    const [command = PENSTOCK, ...args] = [...this.#prefix, PENSTOCK, ...this.args];
    const child = spawn(command, args, {
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    // One that stands still would not hear that the channel is gone.
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

  /** The end of what it has said so far, over all its lives. */
  get output(): string {
    return this.#output;
  }

  /** `kill -9`; resolves when it is gone. */
  async kill(): Promise<void> {
    if (!this.isRunning || !this.#child) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  /** `kill -STOP`: it lives, and does nothing. */
  pause(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  /** `kill -CONT` */
  resume(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  /** SIGTERM, and so long to finish what runs; then SIGKILL. Its exit status; null: it was killed, or ran no more. */
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
