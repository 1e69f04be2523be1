/**
 * Times on the usage page. Days and months are in UTC, like the buckets; hours and minutes are in
 * the zone that the reader has chosen.
 */
import { DAY_MS } from '../../../../shared/durations.ts';
import type { Zone } from '../../format/time.ts';
import { daysShown, dayText } from '../../format/utc.ts';
import type { Bucket } from './buckets.ts';

const UTC = { timeZone: 'UTC' } as const;
const MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', ...UTC });
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', ...UTC });

function timesIn(zone: Readonly<{ timeZone?: string }>) {
  const minute = { hour: 'numeric', minute: '2-digit', ...zone } as const;
  return {
    hour: new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', ...minute }),
    minute: new Intl.DateTimeFormat(undefined, minute),
    span: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', ...zone }),
    days: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', ...zone }),
  };
}

const TIMES: Readonly<Record<Zone, ReturnType<typeof timesIn>>> = {
  local: timesIn({}),
  UTC: timesIn(UTC),
};

/** The time zone of a bucket's labels. */
export function labelZone(bucket: Bucket, zone: Zone): Zone {
  return isWholeDays(bucket) ? 'UTC' : zone;
}

/** Whether its times are days or months, which are in UTC. */
export function isWholeDays(bucket: Bucket): boolean {
  return bucket === 'day' || bucket === 'month';
}

type Tick = (start: string) => string;

const TICKS: Readonly<Record<Zone, Readonly<Record<Bucket, Tick>>>> = {
  local: ticksIn('local'),
  UTC: ticksIn('UTC'),
};

function ticksIn(zone: Zone): Readonly<Record<Bucket, Tick>> {
  const tick = (format: Intl.DateTimeFormat) => (start: string) => format.format(new Date(start));
  const { hour, minute } = TIMES[zone];
  return { month: tick(MONTH), day: tick(DAY), hour: tick(hour), minute: tick(minute) };
}

/** The function that labels a bucket by its start; always the same one, so that charts are kept. */
export function tickOf(bucket: Bucket, zone: Zone): Tick {
  return TICKS[zone][bucket];
}

/** The end of the time that a chart covers: the last of its days or months may not be over yet. */
export function shownEnd(
  { end, bucket }: Readonly<{ end: string; bucket: string }>,
  asOf: number,
): string {
  const isOver = !isWholeDays(bucket as Bucket) || Date.parse(end) <= asOf;
  return isOver ? end : new Date(asOf + 1).toISOString();
}

/**
 * The time that a chart covers, in the time zone of the labels of its buckets. Whole days in this zone
 * are shown as days, without their midnights.
 */
export function spanShown(start: string, end: string, bucket: Bucket, zone: Zone): string {
  if (isWholeDays(bucket)) return daysShown(start, end);
  const { days, span } = TIMES[zone];
  if (start < end && isMidnight(start, zone) && isMidnight(end, zone)) {
    return days.formatRange(new Date(start), new Date(Date.parse(end) - 1));
  }
  return span.formatRange(new Date(start), new Date(end));
}

/**
 * The time with which a chart is compared, which may be counted in other buckets: as days if both are
 * whole days in UTC.
 */
export function comparedShown(
  compared: Readonly<{ start: string; end: string; bucket: Bucket }>,
  bucket: Bucket,
  zone: Zone,
): string {
  const { start, end } = compared;
  const isOfDays = isWholeDays(bucket) && isMidnight(start, 'UTC') && isMidnight(end, 'UTC');
  return spanShown(start, end, isOfDays ? bucket : compared.bucket, zone);
}

function isMidnight(instant: string, zone: Zone): boolean {
  const at = new Date(instant);
  const midnight = new Date(at);
  if (zone === 'UTC') midnight.setUTCHours(0, 0, 0, 0);
  else midnight.setHours(0, 0, 0, 0);
  return at.getTime() === midnight.getTime();
}

/** The last day of a span whose end is not included. */
export function lastDay(until: number): string {
  return dayText(until - DAY_MS);
}

/** Says which time zone the labels are in. */
export function zoneOf(bucket: Bucket, zone: Zone): string {
  if (isWholeDays(bucket)) {
    return `Summed by ${bucket}, in UTC.`;
  }
  if (zone === 'UTC') return 'Times are in UTC.';
  return `Times are in your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
}
