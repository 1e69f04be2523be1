/**
 * Load from clients that retry: a request that fails before its first byte goes to the next router.
 * A rolling deploy must be invisible to these clients.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../shared/random.ts';
import { shortAnswer } from '../torture/load.ts';
import type { CallOptions, Call, ClientLog } from './client-log.ts';

/**
 * Longer than any router is down. A request that no router took for this long counts as turned
 * away.
 */
const GIVE_UP_MS = 15_000;
const AGAIN_MS = 100;
/** 529 is what Anthropic's Messages API has for 503. */
const RETRIED: ReadonlySet<number | null> = new Set([503, 529]);

export class PersistentLoad implements AsyncDisposable {
  /** Complete answers, and the attempts made for all requests. */
  whole = 0;
  tries = 0;
  /** Answers that began and were never finished. There must be none. */
  readonly truncated: Call[] = [];
  /** The last status and code of each request that no router took. */
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
      /** The base URLs of the routers, in the order in which this client tries them. */
      bases: (client: number) => readonly string[];
      ask?: (random: Random) => Omit<CallOptions, 'base' | 'key'>;
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
    wish: Omit<CallOptions, 'base'>,
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
      const isAgain = call.ending === 'unreached' || RETRIED.has(call.status);
      if (!isAgain || performance.now() - began > GIVE_UP_MS) {
        return void this.turnedAway.push(`${call.status} ${call.code}`);
      }
      await pause(AGAIN_MS);
    }
  }

  /** Starts no new requests. Resolves when the last request in flight has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave.abort();
    await this.stop();
  }
}
