/**
 * A rate limit on an agent's echoes: each chunk of an echo costs a lookup, and an agent may send
 * any number. Echoes beyond the limit are dropped. The only effect is that forecasts know less.
 */
import { AllowedRate } from '../../shared/bounds/allowed-rate.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Echo } from '../../shared/wire/messages.ts';

/** Several hundred long prompts a second from one host. */
export const CHUNKS_PER_SECOND = 50_000;
const CHUNKS_AT_ONCE = 50_000;
/** The cost of an event besides its chunks, and the base64 characters of one chunk. */
const EVENT_CHUNKS = 4;
const CHUNK_CHARS = 32 / 3;

export class EchoRateLimiter {
  readonly #chunks: AllowedRate;

  constructor(clock: Clock) {
    this.#chunks = new AllowedRate(clock, { perSecond: CHUNKS_PER_SECOND, burst: CHUNKS_AT_ONCE });
  }

  /** Returns the events within the rate limit. First tokens and ends of requests cost nothing. */
  within(events: Echo['events']): Echo['events'] {
    return events.filter(
      (event) =>
        event.at !== 'dispatched' ||
        this.#chunks.spend(EVENT_CHUNKS + event.chunks.length / CHUNK_CHARS),
    );
  }
}
