/**
 * The uptime of a model in a region: the share of the time in which a router took requests there
 * and a worker was ready to serve the model. An hour counts by its samples, which are time
 * (sampled-time.ts). Where samples are missing, no router ran, so that time counts as down. The time
 * before the model was first served does not count: of the first hour in which it was served, only
 * the samples with a ready worker do.
 */
import { GOOD_UPTIME, OUTAGES_MAX, UPTIME_DAYS } from '../../shared/public-figures.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/durations.ts';
import { SAMPLE_MS } from './levels.ts';

const DAY_HOURS = 24;
/** How many samples make an hour. Hours of earlier versions have those of each router. */
const HOUR_SAMPLES = HOUR_MS / SAMPLE_MS;
/** Samples of the last two minutes may not be in the store yet. */
const LATE_SAMPLES = 120_000 / SAMPLE_MS;
/** A model that nobody offered in a region for so long is no longer offered there. */
const FORGOTTEN_HOURS = 7 * DAY_HOURS;
/** No uptime is shown before so many hours have been measured: it would be that of the start. */
const SHOWN_HOURS_MIN = 1;

type Hour = { listened: number; served: number };
/** Hours in which a worker was ready, of so many hours. */
export type UpHours = { up: number; of: number };
/** Consecutive hours of a day, as ordinals; `until` is the hour after the last one. */
export type Outage = { from: number; until: number; up: number; of: number };

export class Uptime {
  readonly #hours = new Map<number, Hour>();

  /** `hour`: its ordinal. Hours before the days that are shown tell whether the model is new. */
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
    const first = this.#firstCounted(now);
    if (first === null) return null;
    const { listened } = this.#counted(first, first, now);
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
    const first = this.#firstCounted(now);
    if (first === null || Math.max(...known) < current - FORGOTTEN_HOURS) return null;
    const start = firstHour(now);
    const days = Array.from({ length: UPTIME_DAYS }, (): UpHours => ({ up: 0, of: 0 }));
    for (let hour = first; hour <= current; hour++) {
      const day = days[Math.floor((hour - start) / DAY_HOURS)] as UpHours;
      const { up, of } = this.#upIn(hour, first, now);
      day.up += up;
      day.of += of;
    }
    return days;
  }

  /** Returns the hours with less than a good uptime, consecutive ones of a day together, the newest first. */
  outages(now: number): Outage[] {
    const first = this.#firstCounted(now);
    if (first === null) return [];
    const found: Outage[] = [];
    const current = Math.floor(now / HOUR_MS);
    for (let hour = first; hour <= current; hour++) {
      const { up, of } = this.#upIn(hour, first, now);
      if (of === 0 || up / of >= GOOD_UPTIME) continue;
      const last = found.at(-1);
      if (last?.until === hour && hour % DAY_HOURS !== 0) {
        last.until++;
        last.up += up;
        last.of += of;
      } else {
        found.push({ from: hour, until: hour + 1, up, of });
      }
    }
    return found.toReversed().slice(0, OUTAGES_MAX);
  }

  /** Whether a worker served the model before the days that are shown. */
  #isOlder(now: number): boolean {
    const start = firstHour(now);
    return [...this.#hours].some(([hour, { served }]) => hour < start && served > 0);
  }

  /** The first hour that counts. Null: the model was never served. */
  #firstCounted(now: number): number | null {
    const start = firstHour(now);
    const isOlder = this.#isOlder(now);
    const hours = [...this.#hours].filter(
      ([hour, { served }]) => hour >= start && (isOlder || served > 0),
    );
    return hours.length === 0 ? null : Math.min(...hours.map(([hour]) => hour));
  }

  /** The samples of an hour that count. */
  #counted(hour: number, first: number, now: number): Readonly<Hour> {
    const { listened, served } = this.#hours.get(hour) ?? { listened: 0, served: 0 };
    return hour === first && !this.#isOlder(now)
      ? { listened: served, served }
      : { listened, served };
  }

  /** The part of an hour that is known: of the first and the current hour not all of it is. */
  #upIn(hour: number, first: number, now: number): UpHours {
    const { listened, served } = this.#counted(hour, first, now);
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

/** Returns the days without what was measured as long as it is less than an hour in total. */
export function shownDays(days: readonly Readonly<UpHours>[]): readonly Readonly<UpHours>[] {
  const measured = days.reduce((sum, day) => sum + day.of, 0);
  return measured < SHOWN_HOURS_MIN ? days.map(() => ({ up: 0, of: 0 })) : days;
}

/** Returns the share from 0 to 1; null for no time at all. Only 1 is written as 1. */
export function uptimeOf(days: readonly Readonly<UpHours>[]): number | null {
  const up = days.reduce((sum, day) => sum + day.up, 0);
  const of = days.reduce((sum, day) => sum + day.of, 0);
  if (of === 0) return null;
  // Rounded down, so that an outage is never rounded away.
  return Math.min(1, Math.floor(10_000 * (up / of) + 1e-6) / 10_000);
}
