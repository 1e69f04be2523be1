/**
 * The state of a model in a region, as customers are told it. It is made from what the routers have
 * recorded in the last minutes, so that all routers say the same.
 */
import { FIGURE_REQUESTS_MIN, type MODEL_STATES } from '../../shared/public-figures.ts';
import { addCell } from './cells.ts';
import { ANSWERED, FAILED, type Figures, noFigures, UNAVAILABLE } from './figures.ts';
import { timeOf } from './sampled-time.ts';

export type ModelState = (typeof MODEL_STATES)[number];

/** How many minutes the state is made from. */
export const STATE_MINUTES = 10;
/** The least share of samples with a ready worker, and of requests that are answered. */
const GOOD_SHARE = 0.95;

type Minute = Readonly<{ ordinal: number; listened: number; served: number }>;

/**
 * The last hour of one model in one region. Its state is made from the last minutes. Samples before
 * the first one of the hour with a ready worker do not count: the model had not started yet.
 */
export class RecentMinutes {
  /** The ordinal of the first minute that the state is made from. */
  readonly #from: number;
  readonly #sums: Figures = noFigures();
  readonly #minute: Figures = noFigures();
  readonly #minutes: Minute[] = [];
  #firstServed = Infinity;
  /** Whether a router took a sample in the hour. */
  #isSampled = false;

  constructor(from: number) {
    this.#from = from;
  }

  /** In any order, each minute once. */
  add(ordinal: number, cell: Uint8Array): void {
    this.#minute.fill(0);
    addCell(this.#minute, cell);
    const { listened, served } = timeOf(this.#minute);
    if (listened > 0) this.#isSampled = true;
    if (served > 0) this.#firstServed = Math.min(this.#firstServed, ordinal);
    if (ordinal < this.#from) return;
    addCell(this.#sums, cell);
    if (listened > 0) this.#minutes.push({ ordinal, listened, served });
  }

  /** Null: no router has sampled the region in the hour. */
  get state(): ModelState | null {
    if (!this.#isSampled) return null;
    const last = this.#minutes.toSorted((a, b) => a.ordinal - b.ordinal).at(-1);
    if (!last) return 'no_data';
    if (last.served === 0) return 'no_capacity';
    const ended = endedRequests(this.#sums);
    const answered = this.#sums[ANSWERED] as number;
    const isAnswering = ended < FIGURE_REQUESTS_MIN || answered >= GOOD_SHARE * ended;
    return isAnswering && this.#isServing() ? 'operational' : 'degraded';
  }

  #isServing(): boolean {
    let [all, good] = [0, 0];
    for (const { ordinal, listened, served } of this.#minutes) {
      if (ordinal < this.#firstServed) continue;
      all += ordinal === this.#firstServed ? served : listened;
      good += served;
    }
    return good >= GOOD_SHARE * all;
  }
}

/**
 * The state of a model in a region at this moment. What this router sees can only make a recorded
 * state worse: a model that was down is not up because a worker is ready at this instant. Where
 * nothing is recorded, because the installation or the router has just started, the router says what
 * it sees.
 *
 * `recorded`: null without samples of the last hour. `isServed`: null if the router does not know.
 */
export function stateNow(recorded: ModelState | null, isServed: boolean | null): ModelState {
  if (isServed === false) return 'no_capacity';
  if (recorded !== null) return recorded;
  return isServed === null ? 'no_data' : 'operational';
}

/** The requests that were answered, or were not although the client had done nothing wrong. */
export function endedRequests(figures: Figures): number {
  return [ANSWERED, UNAVAILABLE, FAILED].reduce((sum, at) => sum + (figures[at] as number), 0);
}
