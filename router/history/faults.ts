/**
 * Since when a fault of a model or of a worker holds, by the cells that routers have recorded. A time
 * in which no router ran tells nothing, so that a restart of the routers ends no fault.
 */
import { MINUTE_MS } from '../../shared/durations.ts';
import { type Figures, LISTENED, READY, SERVED, WORKERS } from './figures.ts';
import type { Level } from './levels.ts';
import { GOOD_SHARE, goodAnswers, STATE_MINUTES } from './state.ts';

/**
 * `unserved`: a model has no ready worker. `degraded`: a model had none for some time, or its requests
 * fail. `unready`: a worker is not ready.
 */
export type FaultKind = 'unserved' | 'degraded' | 'unready';

/** Service without a fault for so long ends a degraded service. */
const RECOVERED_MS = STATE_MINUTES * MINUTE_MS;

/** `good`: the share of the time in which it was well, from 0 to 1. */
type Reading = Readonly<{ ordinal: number; good: number }>;

/** `at`: in ms since the epoch. `isWhole`: false if it may have begun before the first reading. */
export type FaultStart = Readonly<{ at: number; isWhole: boolean }>;

export class FaultReadings {
  readonly #kind: FaultKind;
  readonly #level: Pick<Level, 'lengthMs'>;
  readonly #readings: Reading[] = [];

  constructor(kind: FaultKind, level: Pick<Level, 'lengthMs'>) {
    this.#kind = kind;
    this.#level = level;
  }

  /** In any order, each cell of the level once. */
  add(ordinal: number, figures: Figures): void {
    const good = goodShare(this.#kind, figures);
    if (good !== null) this.#readings.push({ ordinal, good });
  }

  /** Null: nothing is recorded of the fault. */
  get began(): FaultStart | null {
    const newestFirst = this.#readings.toSorted((a, b) => b.ordinal - a.ordinal);
    return this.#kind === 'degraded'
      ? this.#beganDegraded(newestFirst)
      : this.#beganDown(newestFirst);
  }

  /** The time after the last one in which it was well. */
  #beganDown(newestFirst: readonly Reading[]): FaultStart | null {
    const { lengthMs } = this.#level;
    const last = newestFirst.find(({ good }) => good > 0);
    if (last === undefined) return firstOf(newestFirst, lengthMs);
    if (last === newestFirst[0] && last.good === 1) return null;
    return { at: Math.round((last.ordinal + last.good) * lengthMs), isWhole: true };
  }

  /** The first fault after the last time that was long enough without one. */
  #beganDegraded(newestFirst: readonly Reading[]): FaultStart | null {
    const { lengthMs } = this.#level;
    const allowed = Math.max(1, RECOVERED_MS / lengthMs);
    let [began, well]: [number | null, number] = [null, 0];
    for (const { ordinal, good } of newestFirst) {
      if (good < 1) [began, well] = [ordinal, 0];
      else well += 1;
      if (well >= allowed) break;
    }
    return began === null ? null : { at: began * lengthMs, isWhole: well >= allowed };
  }
}

function firstOf(newestFirst: readonly Reading[], lengthMs: number): FaultStart | null {
  const first = newestFirst.at(-1);
  return first === undefined ? null : { at: first.ordinal * lengthMs, isWhole: false };
}

/** Null: the cell tells nothing of it. */
function goodShare(kind: FaultKind, figures: Figures): number | null {
  const [all, good] = kind === 'unready' ? [WORKERS, READY] : [LISTENED, SERVED];
  const seen = figures[all] as number;
  if (seen === 0) return null;
  const share = Math.min(1, (figures[good] as number) / seen);
  if (kind !== 'degraded') return share;
  return Math.min(share, goodAnswers(figures) ? 1 : GOOD_SHARE);
}
