/** One engine as a process of its own, which a test can kill and start again on the same port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/up.ts';
import { model } from './cache.ts';
import { type EngineRow, SERVED } from './engine-row.ts';
import type { Answer } from './service.ts';

/** vLLM on a CPU needs minutes. */
export const START_MS_MAX = 15 * 60_000;
const OUTPUT_CHARS = 4_000;
/** An idle engine uses the processor no more than this, in hundredths of a second. */
const IDLE_MS = 1_000;
const IDLE_TICKS = 2;

/** The engine's package needs instructions that the processor of this machine lacks. */
export class IllegalInstruction extends Error {
  override name = 'IllegalInstruction';
}

export class EngineProcess implements AsyncDisposable {
  readonly row: EngineRow;
  readonly url: string;
  readonly #port: number;
  #process: ChildProcess | null = null;
  #exit: Promise<unknown> = Promise.resolve();
  #output = '';

  private constructor(row: EngineRow, port: number) {
    this.row = row;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(row: EngineRow): Promise<EngineProcess> {
    const engine = new EngineProcess(row, await freePort());
    await engine.run();
    return engine;
  }

  /** Whether the processor of this machine has the instructions that the engine needs. */
  static async runsHere(row: EngineRow): Promise<boolean> {
    try {
      await using _ = await EngineProcess.start(row);
      return true;
    } catch (error) {
      if (error instanceof IllegalInstruction) return false;
      throw error;
    }
  }

  /** Starts the process, and waits until it serves. */
  async run(): Promise<void> {
    const { healthPath = '/health' } = this.row;
    const [command, ...args] = this.row.command(model(), this.#port);
    const started = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...this.row.env },
    });
    this.#process = started;
    this.#exit = once(started, 'exit');
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (bytes: Buffer) => {
        this.#output = (this.#output + bytes.toString()).slice(-OUTPUT_CHARS);
      });
    }
    await until(
      async () => {
        if (started.signalCode === 'SIGILL') throw new IllegalInstruction(this.row.name);
        const ended = started.exitCode ?? started.signalCode;
        if (ended !== null) throw new Error(`${command} ended (${ended}):\n${this.#output}`);
        return (await fetch(`${this.url}${healthPath}`).catch(() => null))?.ok;
      },
      `${this.row.name} to serve`,
      START_MS_MAX,
    );
  }

  /** Ends the process and its workers at once, as if the host had failed. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (running?.exitCode !== null || running.signalCode !== null) return;
    process.kill(-(running.pid as number), 'SIGKILL');
    await this.#exit;
  }

  /** Returns the sum of these series on the engine's own metrics page. */
  async count(...names: readonly string[]): Promise<number> {
    const page = await (await fetch(`${this.url}/metrics`)).text();
    return page
      .split('\n')
      .filter((line) => names.includes(/^[\w:]+/.exec(line)?.[0] ?? ''))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  /** Whether it works on a request: as its gauge says or, without one, if it uses the processor. */
  async isBusy(): Promise<boolean> {
    const { runningGauge } = this.row;
    if (runningGauge !== null) return (await this.count(runningGauge)) > 0;
    const before = await this.#ticks();
    await setTimeout(IDLE_MS);
    return (await this.#ticks()) - before > IDLE_TICKS;
  }

  /** The time of the processor that it and its workers have used. */
  async #ticks(): Promise<number> {
    const group = `${this.#process?.pid}`;
    let sum = 0;
    for (const id of await readdir('/proc')) {
      if (!/^\d+$/.test(id)) continue;
      const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
      // What comes after the name: state, parent, group; the times are the 12th and the 13th.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[2] === group) sum += Number(fields[11]) + Number(fields[12]);
    }
    return sum;
  }

  /** Asks it without the agent and the router. */
  async chat(body: object): Promise<Omit<Answer, 'status'>> {
    const response = await fetch(`${this.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: SERVED, ...body }),
    });
    return (await response.json()) as Omit<Answer, 'status'>;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}
