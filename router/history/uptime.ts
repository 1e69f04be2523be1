/**
 * The uptime of a model in a region: the share of the time in which a router took requests there
 * and a worker was ready to serve the model. An hour counts by its samples. Where samples are
 * missing, no router ran, so that time counts as down.
 */
import { UPTIME_DAYS } from '../../shared/public-figures.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/durations.ts';
import { SAMPLE_MS } from './levels.ts';

const DAY_HOURS = 24;
/** What one router takes in an hour; several take more. */
const HOUR_SAMPLES = HOUR_MS / SAMPLE_MS;
/** Samples of the last two minutes may not be in the store yet. */
const LATE_SAMPLES = 120_000 / SAMPLE_MS;
/** A model that nobody offered in a region for so long is no longer offered there. */
const FORGOTTEN_HOURS = 7 * DAY_HOURS;

type Hour = { listened: number; served: number };
/** Hours in which a worker was ready, of so many hours. */
export type UpHours = { up: number; of: number };

export class Uptime {
  readonly #hours = new Map<number, Hour>();

  /** `hour`: its ordinal. */
  add(hour: number, { listened, served }: Readonly<Hour>): void {
    if (listened === 0) return;
    const known = this.#hours.get(hour);
    if (!known) {
      this.#hours.set(hour, { listened, served });
      return;
    }
    known.listened += listened;
    known.served += served;
  }

  /**
   * Since when the uptime is measured, in ms since the epoch, to the minute: at most 30 days ago. Of
   * the first hour, only as much counts as has samples. Null: it is not measured yet.
   */
  since(now: number): number | null {
    const start = firstHour(now);
    const hours = [...this.#hours.keys()].filter((hour) => hour >= start);
    if (hours.length === 0) return null;
    const first = Math.min(...hours);
    const { listened } = this.#hours.get(first) ?? { listened: 0 };
    const end = Math.min(now, (first + 1) * HOUR_MS);
    const measured = Math.min(listened * SAMPLE_MS, end - first * HOUR_MS);
    return Math.ceil((end - measured) / MINUTE_MS) * MINUTE_MS;
  }

  /**
   * Returns the uptime of each day, the last one being that of `now`; null if the model is not
   * offered in the region any more.
   */
  days(now: number): UpHours[] | null {
    const current = Math.floor(now / HOUR_MS);
    const known = [...this.#hours.keys()];
    const first = Math.min(...known);
    if (known.length === 0 || Math.max(...known) < current - FORGOTTEN_HOURS) return null;
    const start = firstHour(now);
    const days = Array.from({ length: UPTIME_DAYS }, (): UpHours => ({ up: 0, of: 0 }));
    for (let hour = Math.max(first, start); hour <= current; hour++) {
      const day = days[Math.floor((hour - start) / DAY_HOURS)] as UpHours;
      const { up, of } = this.#upIn(hour, first, now);
      day.up += up;
      day.of += of;
    }
    return days;
  }

  /** The part of an hour that is known: of the first and the current hour not all of it is. */
  #upIn(hour: number, first: number, now: number): UpHours {
    const { listened, served } = this.#hours.get(hour) ?? { listened: 0, served: 0 };
    const isCurrent = (hour + 1) * HOUR_MS > now;
    const passed = isCurrent ? (now - hour * HOUR_MS) / SAMPLE_MS - LATE_SAMPLES : HOUR_SAMPLES;
    const expected = Math.max(0, hour === first ? Math.min(passed, listened) : passed);
    const seen = expected === 0 ? 0 : Math.min(1, listened / expected);
    const of = expected / HOUR_SAMPLES;
    return { up: listened === 0 ? 0 : (served / listened) * seen * of, of };
  }
}

/** Returns the ordinal of the first hour of the days whose uptime is shown. */
export function firstHour(now: number): number {
  return (Math.floor(now / HOUR_MS / DAY_HOURS) - UPTIME_DAYS + 1) * DAY_HOURS;
}

/** Returns the share from 0 to 1; null for no time at all. Only 1 is written as 1. */
export function uptimeOf(days: readonly Readonly<UpHours>[]): number | null {
  const up = days.reduce((sum, day) => sum + day.up, 0);
  const of = days.reduce((sum, day) => sum + day.of, 0);
  if (of === 0) return null;
  // Rounded down, so that an outage is never rounded away.
  return Math.min(1, Math.floor(10_000 * (up / of) + 1e-6) / 10_000);
}
