/** The engine and the load generator, which stay the same for all gateways and rounds. */
import { BenchProcess } from './bench-process.ts';
import type { Gateway } from './gateway.ts';
import type { Seen } from './load-order.ts';
import { type LoadName, orderOf } from './loads.ts';
import type { Lateness } from './pacer.ts';

export class Rig implements AsyncDisposable {
  readonly #engine: BenchProcess;
  readonly #load: BenchProcess;

  private constructor(engine: BenchProcess, load: BenchProcess) {
    this.#engine = engine;
    this.#load = load;
  }

  static async start(signal: AbortSignal): Promise<Rig> {
    const engine = await BenchProcess.start(new URL('./engine.ts', import.meta.url), [], signal);
    const load = await BenchProcess.start(new URL('./load.ts', import.meta.url), [], signal);
    return new Rig(engine, load);
  }

  get engineUrl(): string {
    return this.#engine.url;
  }

  /** Runs a load on a gateway. Throws if an answer was not whole. */
  async run(name: LoadName, gateway: Gateway, seconds: number): Promise<Seen & Lateness> {
    await this.#engine.ask<Lateness>({});
    const groups = { engine: [this.#engine.pid], bench: [process.pid] };
    const seen = await this.#load.ask<Seen>(orderOf(name, gateway, { seconds, groups }));
    return { ...seen, ...(await this.#engine.ask<Lateness>({})) };
  }

  /** Runs a gateway until its code is compiled: short requests first, then streams. */
  async warmUp(gateway: Gateway, seconds: number): Promise<void> {
    if (seconds === 0) return;
    await this.run('short', gateway, seconds * SHORT_SHARE);
    await this.run('streams-64', gateway, seconds * (1 - SHORT_SHARE));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#load[Symbol.asyncDispose]();
    await this.#engine[Symbol.asyncDispose]();
  }
}

/** The share of a warm-up that is spent on short requests, which take more code. */
const SHORT_SHARE = 0.8;
