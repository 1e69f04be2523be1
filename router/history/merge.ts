/**
 * Adds up the cells of series into the buckets of groups. Counts and histograms are added. A gauge
 * of a series is first divided by its samples, because several routers take samples of the same
 * workers, and is then added to those of the other series of the group.
 */
import type { FleetFigures } from '../../shared/api/fleet-history.ts';
import { addCell } from './cells.ts';
import { bump, COUNTS, type Figures, noFigures, SAMPLES } from './figures.ts';
import type { Level } from './levels.ts';
import { shownFigures } from './shown.ts';

/** Consecutive cells of a level by ordinal, `step` of them in a bucket; `until` is not included. */
export type Span = Readonly<{
  level: Level;
  from: number;
  until: number;
  step: number;
  /** Ms since the epoch: what lies after it is not in the store yet. */
  end: number;
}>;

export type MergedGroup = Readonly<{
  total: FleetFigures;
  /** By bucket, from 0. */
  points: readonly (FleetFigures & Readonly<{ bucket: number }>)[];
}>;

/** The place of the whole span beside its buckets. */
const TOTAL = -1;

type Buckets = Map<number, Figures>;

/** The sums of one series. */
export class SeriesSums {
  readonly buckets: Buckets = new Map();
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
  }

  add(ordinal: number, cell: Uint8Array): void {
    const { from, step } = this.#span;
    addCell(bucketOf(this.buckets, Math.floor((ordinal - from) / step)), cell);
    addCell(bucketOf(this.buckets, TOTAL), cell);
  }

  samples(bucket: number): number {
    return this.buckets.get(bucket)?.[SAMPLES] ?? 0;
  }
}

function bucketOf(buckets: Buckets, bucket: number): Figures {
  let figures = buckets.get(bucket);
  if (!figures) buckets.set(bucket, (figures = noFigures()));
  return figures;
}

export class GroupSums {
  readonly #buckets: Buckets = new Map();
  readonly #span: Span;

  constructor(span: Span) {
    this.#span = span;
  }

  /** Adds a series. `sampled` has the samples that its gauges were added up over. */
  add({ buckets }: SeriesSums, sampled: SeriesSums): void {
    for (const [bucket, figures] of buckets) {
      const sums = bucketOf(this.#buckets, bucket);
      const samples = sampled.samples(bucket);
      for (let at = 0; at < figures.length; at++) {
        const value = figures[at] as number;
        if (value === 0) continue;
        const isGauge = at >= SAMPLES && at < COUNTS;
        if (!isGauge) bump(sums, at, value);
        else if (samples > 0) bump(sums, at, value / samples);
      }
    }
  }

  shown(): MergedGroup {
    const points = [...this.#buckets]
      .filter(([bucket]) => bucket !== TOTAL)
      .toSorted(([a], [b]) => a - b)
      .map(([bucket, figures]) => ({
        bucket,
        ...shownFigures(figures, this.#secondsOf(bucket)),
      }));
    const whole = bucketOf(this.#buckets, TOTAL);
    return { total: shownFigures(whole, this.#secondsOf(TOTAL)), points };
  }

  #secondsOf(bucket: number): number {
    const { level, from, until, step, end } = this.#span;
    const first = bucket === TOTAL ? from : from + bucket * step;
    const last = bucket === TOTAL ? until : Math.min(until, first + step);
    const endsAt = Math.min(end, last * level.lengthMs);
    return Math.max(1, (endsAt - first * level.lengthMs) / 1_000);
  }
}
