/** Clients that send one request after the other, each as soon as the one before has ended. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../shared/random.ts';
import type { CallOptions, Call, ClientLog } from '../support/client-log.ts';

export const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
/**
 * The model's list price in pico-USD per token, and the first slice of output tokens that is held
 * for a large answer.
 */
export const PRICE = { prompt: 200_000n, completion: 600_000n, cached: 50_000n } as const;
export const SLICE_TOKENS = 2_048n;

/** Only a few lengths, so that answers that begin together end together and settle in bursts. */
const LENGTHS = [8, 16, 30, 60, 120] as const;

export type LoadOptions = Readonly<{
  log: ClientLog;
  streams: number;
  random: Random;
  /** The base URL and the key of each client. */
  target: (client: number) => Readonly<{ base: string; key: string }>;
  ask?: (random: Random) => Omit<CallOptions, 'base' | 'key'>;
  onEnded?: (call: Call) => void;
}>;

/** A load that runs until it is stopped. */
export class Load implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #leave = new AbortController();
  readonly #running: Promise<void[]>;

  constructor(options: LoadOptions) {
    this.#running = Promise.all(
      Array.from({ length: options.streams }, (_, client) => this.#askAgain(options, client)),
    );
  }

  /** Starts no new requests. Resolves when the last request in flight has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Hangs up all requests, in case a scene ended before it stopped its load. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave.abort();
    await this.stop();
  }

  async #askAgain(options: LoadOptions, client: number): Promise<void> {
    const { log, random, target, ask = shortAnswer, onEnded } = options;
    const { signal: leave } = this.#leave;
    while (!this.#stop.signal.aborted) {
      const call = await log.ask({ leave, ...ask(random), ...target(client) });
      onEnded?.(call);
      // Backs off, so that a router that is down does not cause a retry storm.
      if (call.ending !== 'complete') await pause(300 + random.below(300));
    }
  }
}

const LESS_OFTEN = ['completions', 'responses', 'messages'] as const;

/** A random request: mostly streamed chat, sometimes of another API, or not streamed. */
export function shortAnswer(random: Random): Omit<CallOptions, 'base' | 'key'> {
  const tokens = LENGTHS[random.below(LENGTHS.length)] ?? 30;
  return {
    model: MODEL,
    prompt: `Write exactly ${tokens} tokens about number ${random.below(1_000_000)}.`,
    // Three in four limits are above the requested length, so those answers end by themselves. The
    // others end at this limit.
    maxTokens: random.below(4) === 0 ? Math.ceil(tokens / 2) : tokens + 10,
    api: LESS_OFTEN[random.below(10)] ?? 'chat',
    streamed: random.below(10) !== 0,
  };
}
