/** Clients as a deploy should find them: what is refused before its first byte they ask of the next router. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../shared/random.ts';
import { shortAnswer } from '../torture/load.ts';
import type { Ask, Call, ClientLog } from './client-log.ts';

/** Longer than any router is away: what nobody takes for so long was turned away. */
const GIVE_UP_MS = 15_000;
const AGAIN_MS = 100;

export class PersistentLoad implements AsyncDisposable {
  /** Answers that were whole, and in how many tries. */
  whole = 0;
  tries = 0;
  /** Answers that began and did not end: there must be none. */
  readonly truncated: Call[] = [];
  /** Requests that no router took, and what was said last. */
  readonly turnedAway: string[] = [];
  readonly #stop = new AbortController();
  readonly #leave = new AbortController();
  readonly #running: Promise<void[]>;

  constructor(
    options: Readonly<{
      log: ClientLog;
      clients: number;
      key: string;
      random: Random;
      /** The routers, the first one to ask being the client's own. */
      bases: (client: number) => readonly string[];
      ask?: (random: Random) => Omit<Ask, 'base' | 'key'>;
    }>,
  ) {
    const { log, key, random, bases, ask = shortAnswer } = options;
    const askOn = async (client: number) => {
      while (!this.#stop.signal.aborted) {
        const wish = { key, leave: this.#leave.signal, ...ask(random) };
        await this.#persist(wish, log, () => bases(client));
      }
    };
    this.#running = Promise.all(Array.from({ length: options.clients }, (_, n) => askOn(n)));
  }

  async #persist(
    wish: Omit<Ask, 'base'>,
    log: ClientLog,
    bases: () => readonly string[],
  ): Promise<void> {
    const began = performance.now();
    for (let number = 0; ; number++) {
      const all = bases();
      const call = await log.ask({ ...wish, base: all[number % all.length] as string });
      this.tries += 1;
      if (call.ending === 'left') return;
      if (call.ending === 'complete') return void (this.whole += 1);
      if (call.ending === 'cut') return void this.truncated.push(call);
      const isAgain = call.ending === 'unreached' || call.status === 503;
      if (!isAgain || performance.now() - began > GIVE_UP_MS) {
        return void this.turnedAway.push(`${call.status} ${call.code}`);
      }
      await pause(AGAIN_MS);
    }
  }

  /** No new requests; resolves when the last one under way has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave.abort();
    await this.stop();
  }
}
