/**
 * The samples of a minute as time. All routers sample at the same instants, so three routers take 18
 * samples in a minute of six instants. A cell of an hour adds up the time of its minutes. Otherwise
 * the minutes in which more routers ran would count more, and an outage of all routers would be made
 * up for by the samples that several of them took before and after it.
 */
import { MINUTE_MS } from '../../shared/durations.ts';
import { type Figures, LISTENED, SERVED } from './figures.ts';
import { SAMPLE_MS } from './levels.ts';

/** How many samples one router takes in a minute. */
export const MINUTE_SAMPLES = MINUTE_MS / SAMPLE_MS;

/** In samples of one router: how long routers took requests, and a worker was ready meanwhile. */
export type SampledTime = Readonly<{ listened: number; served: number }>;

/**
 * `figures`: those of a minute. Where the routers differ about the workers, their share counts. Of a
 * minute in which each of several routers ran only for a part, the sum of their times is taken.
 */
export function timeOf(figures: Figures): SampledTime {
  const [samples, served] = [figures[LISTENED] as number, figures[SERVED] as number];
  const listened = Math.min(samples, MINUTE_SAMPLES);
  return { listened, served: samples === 0 ? 0 : (listened * served) / samples };
}

/**
 * Returns what is added to the hour when `added` is added to the minute that had `before`. The time
 * that a worker was ready becomes shorter if another router of the minute saw none.
 */
export function addedToHour(before: Figures, added: Figures): Figures {
  const after = before.map((value, at) => value + (added[at] as number));
  const [was, is] = [timeOf(before), timeOf(after)];
  const hour = added.slice();
  hour[LISTENED] = is.listened - was.listened;
  // Rounded to the nearest: if one of many routers always saw less than the others, rounding down
  // would take a whole sample off every minute.
  hour[SERVED] = Math.round(is.served) - Math.round(was.served);
  return hour;
}
