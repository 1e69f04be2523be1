/** Small requests that find out whether the service accepts work. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../support/client-log.ts';
import type { Fleet } from './fleet.ts';
import { MODEL } from './load.ts';

const EVERY_MS = 100;

export class Probes {
  readonly #fleet: Fleet;
  readonly #key: string;
  /**
   * How late this process's event loop was. A machine that delays the test delays the service as
   * well.
   */
  readonly #lateness = monitorEventLoopDelay({ resolution: 10 });

  constructor(fleet: Fleet, key: string) {
    this.#fleet = fleet;
    this.#key = key;
  }

  /** Sends one probe to one router. */
  ask(router: number): Promise<Call> {
    return this.#fleet.log.ask({
      base: this.#fleet.router(router).base,
      key: this.#key,
      model: MODEL,
      prompt: 'Write exactly 3 tokens.',
      maxTokens: 5,
    });
  }

  /** Sends ten probes a second to every router for this long. No probe waits for the one before. */
  async during(ms: number): Promise<Call[]> {
    const asked: Promise<Call>[] = [];
    this.#lateness.reset();
    this.#lateness.enable();
    const end = performance.now() + ms;
    while (performance.now() < end) {
      asked.push(...this.#fleet.routers.map((_, router) => this.ask(router)));
      await pause(EVERY_MS);
    }
    const calls = await Promise.all(asked);
    this.#lateness.disable();
    return calls;
  }

  /** The delay in ms that the machine itself may have added to answers during the last `during`. */
  get latenessMs(): number {
    return Math.ceil((2 * this.#lateness.max) / 1e6);
  }

  /**
   * Probes every router until each gives an answer that fits `so`. Returns how long that took in
   * ms, or null after `msMax`.
   */
  async until(so: (call: Call) => boolean, msMax: number): Promise<number | null> {
    const start = performance.now();
    const each = this.#fleet.routers.map(async (_, router) => {
      while (performance.now() - start < msMax) {
        if (so(await this.ask(router))) return true;
        await pause(EVERY_MS);
      }
      return false;
    });
    const all = await Promise.all(each);
    return all.every(Boolean) ? Math.round(performance.now() - start) : null;
  }
}

export function isServed(call: Call): boolean {
  return call.ending === 'complete';
}

export function isStoreAway(call: Call): boolean {
  return call.status === 503 && call.code === 'store_unavailable';
}

/** Returns how long the call waited for its status, in ms. */
export function waitedMs({ headersAt, endedAt, sentAt }: Call): number {
  return (headersAt ?? endedAt ?? Infinity) - sentAt;
}
