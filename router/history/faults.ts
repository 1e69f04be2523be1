/**
 * Since when a fault of a model or of a worker holds, by the cells that routers have recorded. A time
 * in which no router ran tells nothing, so that a restart of the routers ends no fault.
 */
import type { Region } from '../../shared/region.ts';
import { ANSWERED, type Figures, LISTENED, READY, SERVED, WORKERS } from './figures.ts';
import { type Level, LEVELS, SAMPLE_MS } from './levels.ts';
import { timeOf } from './sampled-time.ts';
import { endedRequests, isOperational, STATE_MINUTES, type Window } from './state.ts';

/**
 * `unserved`: a model has no ready worker. `degraded`: a model had none for some time, or its requests
 * fail. `unready`: a worker is not ready.
 */
export type FaultKind = Fault['kind'];

/** A fault of a model in one region. */
export type ModelFault = Readonly<{
  kind: 'unserved' | 'degraded';
  model: string;
  region: Region;
}>;

export type Fault =
  | ModelFault
  /** In all regions in which routers take requests. */
  | Readonly<{ kind: 'unserved'; model: string; region: null }>
  /** `name`: of the host and of the worker on it, with a slash between them. */
  | Readonly<{ kind: 'unready'; name: string }>;

/** `at`: in ms since the epoch. `isWhole`: false if it may have begun before the first reading. */
export type FaultStart = Readonly<{ at: number; isWhole: boolean }>;

/** What the cells of one series tell of a fault. */
export type FaultReadings = Readonly<{
  /** In any order, each cell of the level once. */
  add: (ordinal: number, figures: Figures) => void;
  /** The newest cell that tells something; null: there is none. */
  newest: number | null;
  /** Null: no cell tells anything. A fault that the newest cell does not have has begun just now. */
  start: (now: number) => FaultStart | null;
}>;

export function readingsOf(kind: FaultKind, level: Level): FaultReadings {
  if (kind === 'degraded') return new DegradedReadings(level);
  return kind === 'unready'
    ? new DownReadings(level, { all: WORKERS, good: READY, isWell: wellAt(level) })
    : new DownReadings(level, { all: LISTENED, good: SERVED, isWell: (good) => good > 0 });
}

/** The share of its samples in which one router saw a worker as not ready, from which on it is a fault. */
const UNREADY_SHARE_MIN = 0.9;

/**
 * A worker is well unless one of the routers, which sample it equally often, saw it as not ready nearly
 * all of the time. Cells have the sums of all routers, so it also looks not well if all of them together
 * saw it as not ready as often as that.
 */
function wellAt({ lengthMs }: Level): Counted['isWell'] {
  return (good, samples) => {
    const routers = Math.round((samples * SAMPLE_MS) / lengthMs);
    return routers <= 1 ? good > 0 : (1 - good) * routers < UNREADY_SHARE_MIN;
  };
}

/** `good`: the share of the time in which it was well, from 0 to 1. */
type Reading = Readonly<{ ordinal: number; good: number }>;

/** Figures of the samples, and of those in which it was well. */
type Counted = Readonly<{
  all: number;
  good: number;
  /** Whether a cell counts as well. `good`: the share of its samples, from 0 to 1. */
  isWell: (good: number, samples: number) => boolean;
}>;

/** A model or worker is down since the last time in which it was well. */
class DownReadings implements FaultReadings {
  readonly #level: Level;
  readonly #counted: Counted;
  #first = Infinity;
  #newest: Reading | null = null;
  #lastWell: Reading | null = null;

  constructor(level: Level, counted: Counted) {
    this.#level = level;
    this.#counted = counted;
  }

  get newest(): number | null {
    return this.#newest?.ordinal ?? null;
  }

  add(ordinal: number, figures: Figures): void {
    const { all, good, isWell } = this.#counted;
    const seen = figures[all] as number;
    if (seen === 0) return;
    const reading = { ordinal, good: Math.min(1, (figures[good] as number) / seen) };
    this.#first = Math.min(this.#first, ordinal);
    this.#newest = newerOf(this.#newest, reading);
    if (isWell(reading.good, seen)) this.#lastWell = newerOf(this.#lastWell, reading);
  }

  start(now: number): FaultStart | null {
    const { lengthMs } = this.#level;
    const [newest, last] = [this.#newest, this.#lastWell];
    if (newest === null) return null;
    if (last === null) return { at: this.#first * lengthMs, isWhole: false };
    if (last === newest && last.good === 1) return { at: now, isWhole: true };
    return { at: Math.min(now, Math.round((last.ordinal + last.good) * lengthMs)), isWhole: true };
  }
}

function newerOf(one: Reading | null, other: Reading): Reading {
  return one !== null && one.ordinal > other.ordinal ? one : other;
}

type Cell = Omit<Window, 'samples'> & Readonly<{ ordinal: number }>;

/** A model is degraded since the first of the windows that all were not operational. */
class DegradedReadings implements FaultReadings {
  readonly #level: Level;
  readonly #cells: Cell[] = [];
  #firstServed = Infinity;

  constructor(level: Level) {
    this.#level = level;
  }

  get newest(): number | null {
    return this.#cells.length === 0 ? null : Math.max(...this.#cells.map(({ ordinal }) => ordinal));
  }

  add(ordinal: number, figures: Figures): void {
    const [listened, served] = this.#timeOf(figures);
    if (listened === 0) return;
    if (served > 0) this.#firstServed = Math.min(this.#firstServed, ordinal);
    const [answered, ended] = [figures[ANSWERED] as number, endedRequests(figures)];
    this.#cells.push({ ordinal, missed: listened - served, answered, ended });
  }

  start(now: number): FaultStart | null {
    if (this.#cells.length === 0) return null;
    const { lengthMs } = this.#level;
    const length = this.#level.number === LEVELS.minute.number ? STATE_MINUTES : 1;
    // What was before the first ready worker may be a model that had not started yet.
    const newestFirst = this.#cells
      .filter(({ ordinal }) => ordinal > this.#firstServed)
      .toSorted((a, b) => b.ordinal - a.ordinal);
    const startOf = (ordinal: number | null) => (ordinal === null ? now : ordinal * lengthMs);
    let first: number | null = null;
    for (const [nth, { ordinal }] of newestFirst.entries()) {
      const cells = newestFirst
        .slice(nth, nth + length)
        .filter((one) => one.ordinal > ordinal - length);
      const samples = (length * lengthMs) / SAMPLE_MS;
      if (!isOperational(windowOf(cells, samples))) first = ordinal;
      // Of a window in which no router ran for a time, nobody knows that it was operational.
      else if (cells.length === length) return { at: startOf(first), isWhole: true };
    }
    return { at: startOf(first), isWhole: false };
  }

  /** A cell of an hour has samples as time already. */
  #timeOf(figures: Figures): readonly [listened: number, served: number] {
    if (this.#level.number === LEVELS.hour.number) {
      return [figures[LISTENED] as number, figures[SERVED] as number];
    }
    const { listened, served } = timeOf(figures);
    return [listened, served];
  }
}

function windowOf(cells: readonly Cell[], samples: number): Window {
  const sumOf = (of: (cell: Cell) => number) => cells.reduce((sum, cell) => sum + of(cell), 0);
  return {
    samples,
    missed: sumOf(({ missed }) => missed),
    answered: sumOf(({ answered }) => answered),
    ended: sumOf(({ ended }) => ended),
  };
}
