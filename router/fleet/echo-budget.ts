/**
 * How much of an agent's echoes a router listens to: each chunk that it is told of is looked up, and an agent may
 * tell of any number. What is beyond the budget is passed over; then the forecasts know less, and nothing else.
 */
import { AllowedRate } from '../../shared/bounds/allowed-rate.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Echo } from '../../shared/wire/messages.ts';

/** Several hundred long prompts a second from one host. */
export const CHUNKS_PER_SECOND = 50_000;
const CHUNKS_AT_ONCE = 50_000;
/** What an event costs beside its chunks, and the characters in which one chunk is told. */
const EVENT_CHUNKS = 4;
const CHUNK_CHARS = 32 / 3;

export class EchoBudget {
  readonly #chunks: AllowedRate;

  constructor(clock: Clock) {
    this.#chunks = new AllowedRate(clock, { perSecond: CHUNKS_PER_SECOND, burst: CHUNKS_AT_ONCE });
  }

  /** Those of the events that are within the budget. What ends a request always is. */
  within(events: Echo['events']): Echo['events'] {
    return events.filter(
      (event) =>
        event.at !== 'dispatched' ||
        this.#chunks.spend(EVENT_CHUNKS + event.chunks.length / CHUNK_CHARS),
    );
  }
}
