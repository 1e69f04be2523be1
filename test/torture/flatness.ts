/** Whether figures that are sampled at a steady pace stay flat once the caches are warm. */
import { quantile } from './hostile/vitals.ts';

export type Sample = Readonly<{ atMs: number; value: number }>;

export type Flatness = Readonly<{
  /** Medians of the second and of the last sixth of the time: of minutes 5 to 10 and 25 to 30. */
  early: number;
  late: number;
  /** The slope of the line that fits all samples after the first sixth best, for an hour. */
  perHour: number;
}>;

const HOUR_MS = 3_600_000;

/** Leaves out the first sixth, in which caches and heaps grow to their working size. */
export function flatness(samples: readonly Sample[], lengthMs: number): Flatness {
  const between = (from: number, to: number) =>
    samples.filter(({ atMs }) => atMs >= from * lengthMs && atMs <= to * lengthMs);
  const median = (some: readonly Sample[]) =>
    quantile(
      some.map(({ value }) => value),
      0.5,
    );
  return {
    early: median(between(1 / 6, 1 / 3)),
    late: median(between(5 / 6, 1)),
    perHour: slope(between(1 / 6, 1)) * HOUR_MS,
  };
}

/** Least squares. */
function slope(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [at, value] = [mean((one) => one.atMs), mean((one) => one.value)];
  const together = mean((one) => (one.atMs - at) * (one.value - value));
  return together / mean((one) => (one.atMs - at) ** 2);
}
