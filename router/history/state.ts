/**
 * The state of a model in a region, as customers are told it. It is made from what the routers have
 * recorded in the last minutes, so that all routers say the same.
 */
import { FIGURE_REQUESTS_MIN, type MODEL_STATES } from '../../shared/public-figures.ts';
import { addCell } from './cells.ts';
import { ANSWERED, FAILED, type Figures, noFigures, UNAVAILABLE } from './figures.ts';
import { MINUTE_SAMPLES, type SampledTime, timeOf } from './sampled-time.ts';

export type ModelState = (typeof MODEL_STATES)[number];
export type RecordedState = Exclude<ModelState, 'no_data'>;

/** How many minutes the state is made from. */
export const STATE_MINUTES = 10;
/** The least share of a window with a ready worker, and of its requests that are answered. */
const GOOD_SHARE = 0.95;
/**
 * The least samples of one router that tell whether a worker is ready now. The first one after a
 * start is often taken before the agents have joined.
 */
const LATEST_SAMPLES_MIN = MINUTE_SAMPLES / 2;

/** Requests that failed so many minutes ago are no fault of now. */
const PRESENT_MINUTES = 3;

type Minute = Readonly<{ ordinal: number; listened: number; served: number; isAnswering: boolean }>;

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

  constructor(from: number) {
    this.#from = from;
  }

  /** In any order, each minute once. */
  add(ordinal: number, cell: Uint8Array): void {
    this.#minute.fill(0);
    addCell(this.#minute, cell);
    const { listened, served } = timeOf(this.#minute);
    if (served > 0) this.#firstServed = Math.min(this.#firstServed, ordinal);
    if (ordinal < this.#from) return;
    addCell(this.#sums, cell);
    if (listened === 0) return;
    this.#minutes.push({ ordinal, listened, served, isAnswering: isAnsweringWell(this.#minute) });
  }

  /** Null: in the last minutes, the routers took too few samples of the region. */
  get state(): RecordedState | null {
    const latest = this.#latest();
    if (latest === null) return null;
    if (latest.served === 0) return 'no_capacity';
    const window = {
      samples: STATE_MINUTES * MINUTE_SAMPLES,
      missed: this.#missed(),
      answered: this.#sums[ANSWERED] as number,
      ended: endedRequests(this.#sums),
    };
    return isOperational(window) ? 'operational' : 'degraded';
  }

  /**
   * Whether the newest minutes have what makes a state worse than operational. The state itself tells
   * of ten minutes, and so also of what has recovered.
   */
  get hasFaultNow(): boolean {
    const latest = this.#latest();
    if (latest === null) return false;
    const newest = Math.max(...this.#minutes.map(({ ordinal }) => ordinal));
    const isFailing = this.#minutes.some(
      ({ ordinal, isAnswering }) => !isAnswering && ordinal > newest - PRESENT_MINUTES,
    );
    return latest.served < latest.listened || isFailing;
  }

  /** The sum of the latest minutes that have enough samples together. */
  #latest(): SampledTime | null {
    let [listened, served] = [0, 0];
    for (const minute of this.#minutes.toSorted((a, b) => b.ordinal - a.ordinal)) {
      listened += minute.listened;
      served += minute.served;
      if (listened >= LATEST_SAMPLES_MIN) return { listened, served };
    }
    return null;
  }

  #missed(): number {
    let missed = 0;
    for (const { ordinal, listened, served } of this.#minutes) {
      if (ordinal > this.#firstServed) missed += listened - served;
    }
    return missed;
  }
}

/**
 * A stretch of time of a model in a region. `samples`: its whole length in samples of one router.
 * `missed`: those of them in which no worker was ready. `answered`: of the requests that ended.
 */
export type Window = Readonly<{
  samples: number;
  missed: number;
  answered: number;
  ended: number;
}>;

/** What is not operational is degraded. Too few requests tell nothing. */
export function isOperational({ samples, missed, answered, ended }: Window): boolean {
  const isAnswering = ended < FIGURE_REQUESTS_MIN || answered >= GOOD_SHARE * ended;
  return isAnswering && missed <= (1 - GOOD_SHARE) * samples;
}

/**
 * The state of a model in a region at this moment. What this router sees can only make a recorded
 * state worse: a model that was down is not up because a worker is ready at this instant. Where
 * nothing is recorded, because the routers have just started, the router says what it sees.
 *
 * `recorded`: null with too few samples. `isServed`: null if the router does not know.
 */
export function stateNow(recorded: RecordedState | null, isServed: boolean | null): ModelState {
  if (isServed === false) return 'no_capacity';
  if (recorded !== null) return recorded;
  return isServed === null ? 'no_data' : 'operational';
}

/** Whether enough of the requests of one minute were answered. Without requests there is no fault. */
function isAnsweringWell(figures: Figures): boolean {
  return (figures[ANSWERED] as number) >= GOOD_SHARE * endedRequests(figures);
}

/** The requests that were answered, or were not although the client had done nothing wrong. */
export function endedRequests(figures: Figures): number {
  return [ANSWERED, UNAVAILABLE, FAILED].reduce((sum, at) => sum + (figures[at] as number), 0);
}
