/** Clients that ask again and again: each stream as soon as the one before has ended. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../shared/random.ts';
import type { Ask, Call, ClientLog } from '../support/client-log.ts';

export const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
/** Its list price in pico-USD a token, and what is held of a large answer at first. */
export const PRICE = { prompt: 200_000n, completion: 600_000n, cached: 50_000n } as const;
export const SLICE_TOKENS = 2_048n;

/** Few lengths, so that answers which began together end together: bursts of settlements. */
const LENGTHS = [8, 16, 30, 60, 120] as const;

export type LoadOptions = Readonly<{
  log: ClientLog;
  streams: number;
  random: Random;
  /** Where the nth client sends its requests, and with which key. */
  target: (client: number) => Readonly<{ base: string; key: string }>;
  ask?: (random: Random) => Omit<Ask, 'base' | 'key'>;
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

  /** No new requests; resolves when the last one under way has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Hangs up, where a scene ended before it could stop its load. */
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
      // A router that is down is not worth a storm.
      if (call.ending !== 'complete') await pause(300 + random.below(300));
    }
  }
}

/** Mostly streamed chat, now and then one of the other forms. */
export function shortAnswer(random: Random): Omit<Ask, 'base' | 'key'> {
  const tokens = LENGTHS[random.below(LENGTHS.length)] ?? 30;
  return {
    model: MODEL,
    prompt: `Write exactly ${tokens} tokens about number ${random.below(1_000_000)}.`,
    // Above what is asked for: some end by themselves, others at this limit.
    maxTokens: random.below(4) === 0 ? Math.ceil(tokens / 2) : tokens + 10,
    endpoint: random.below(10) === 0 ? 'completions' : 'chat',
    streamed: random.below(10) !== 0,
  };
}
