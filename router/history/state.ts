/**
 * The state of a model in a region, as customers are told it. It is made from what the routers have
 * recorded in the last minutes, so that all routers say the same.
 */
import { FIGURE_REQUESTS_MIN, type MODEL_STATES } from '../../shared/public-figures.ts';
import { addCell } from './cells.ts';
import {
  ANSWERED,
  FAILED,
  type Figures,
  LISTENED,
  noFigures,
  SERVED,
  UNAVAILABLE,
} from './figures.ts';

export type ModelState = (typeof MODEL_STATES)[number];

/** How many minutes the state is made from. */
export const STATE_MINUTES = 10;
/** The least share of samples with a ready worker, and of requests that are answered. */
const GOOD_SHARE = 0.95;

/** The last minutes of one model in one region. */
export class RecentMinutes {
  readonly #sums: Figures = noFigures();
  #last: Readonly<{ ordinal: number; isServed: boolean }> | null = null;

  add(ordinal: number, cell: Uint8Array): void {
    addCell(this.#sums, cell);
    const minute = noFigures();
    addCell(minute, cell);
    if (minute[LISTENED] === 0) return;
    if (this.#last !== null && this.#last.ordinal > ordinal) return;
    this.#last = { ordinal, isServed: minute[SERVED] !== 0 };
  }

  get state(): ModelState {
    if (this.#last === null) return 'no_data';
    if (!this.#last.isServed) return 'no_capacity';
    const at = (place: number) => this.#sums[place] as number;
    const ended = endedRequests(this.#sums);
    const isAnswering = ended < FIGURE_REQUESTS_MIN || at(ANSWERED) >= GOOD_SHARE * ended;
    const isServing = at(SERVED) >= GOOD_SHARE * at(LISTENED);
    return isAnswering && isServing ? 'operational' : 'degraded';
  }
}

/**
 * The state of a model in a region at this moment: what was recorded of the last minutes, corrected
 * by whether a worker is ready to serve it now. Null: the router does not know.
 */
export function stateNow(recorded: ModelState, isServed: boolean | null): ModelState {
  if (isServed === null) return recorded;
  if (!isServed) return 'no_capacity';
  if (recorded === 'no_data') return 'operational';
  return recorded === 'no_capacity' ? 'degraded' : recorded;
}

/** The requests that were answered, or were not although the client had done nothing wrong. */
export function endedRequests(figures: Figures): number {
  return [ANSWERED, UNAVAILABLE, FAILED].reduce((sum, at) => sum + (figures[at] as number), 0);
}
