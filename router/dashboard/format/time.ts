/** Instants in the reader's own time zone, or in UTC. */

export type Zone = 'local' | 'UTC';

const SHORT = {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
} as const;
const FORMATS = { local: formatsIn({}), UTC: formatsIn({ timeZone: 'UTC' }) } as const;
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** The clock of a page turns in steps, so what just happened may seem to be this far ahead. */
const AHEAD_S_MAX = 30;

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
] as const;

function formatsIn(zone: Readonly<{ timeZone?: string }>) {
  return {
    full: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long', ...zone }),
    minutes: shortIn(SHORT, zone),
    seconds: shortIn({ ...SHORT, second: '2-digit' }, zone),
    day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', ...zone }),
    monthDay: new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', ...zone }),
  };
}

function shortIn(parts: Intl.DateTimeFormatOptions, zone: Readonly<{ timeZone?: string }>) {
  return {
    thisYear: new Intl.DateTimeFormat(undefined, { ...parts, ...zone }),
    otherYear: new Intl.DateTimeFormat(undefined, { ...parts, year: 'numeric', ...zone }),
  };
}

/** Includes seconds and the name of the time zone. */
export function fullTime(instant: string, zone: Zone): string {
  return FORMATS[zone].full.format(new Date(instant));
}

const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g;

/** Writes the ISO instants in a text, such as an error message, as people read them. */
export function withTimes(text: string, zone: Zone): string {
  return text.replace(INSTANT, (instant) =>
    Number.isNaN(Date.parse(instant)) ? instant : fullTime(instant, zone),
  );
}

/** Includes the year when it differs from the year of `now`, which is in ms since the epoch. */
export function shortTime(
  instant: string,
  now: number,
  zone: Zone,
  precision: 'minutes' | 'seconds' = 'minutes',
): string {
  const yearOf = (at: Date) => (zone === 'UTC' ? at.getUTCFullYear() : at.getFullYear());
  const at = new Date(instant);
  const { thisYear, otherYear } = FORMATS[zone][precision];
  return (yearOf(at) === yearOf(new Date(now)) ? thisYear : otherYear).format(at);
}

export function dayOf(instant: string, zone: Zone): string {
  return FORMATS[zone].day.format(new Date(instant));
}

/** `"Nov 16"` */
export function monthDay(instant: string, zone: Zone): string {
  return FORMATS[zone].monthDay.format(new Date(instant));
}

/** `"in your time zone"`, for a sentence. */
export function zoneWords(zone: Zone): string {
  return zone === 'UTC' ? 'in UTC' : 'in your time zone';
}

/** `"just now"`, `"5 min. ago"`, or the date beyond 30 days. `now` is in ms since the epoch. */
export function ago(instant: string, now: number, zone: Zone): string {
  let left = (Date.parse(instant) - now) / 1_000;
  if (left > 0 && left < AHEAD_S_MAX) left = 0;
  for (const [unit, many] of STEPS) {
    if (Math.abs(left) < many) {
      const whole = Math.round(left);
      return unit === 'second' && whole === 0 ? 'just now' : AGO.format(whole, unit);
    }
    left /= many;
  }
  return dayOf(instant, zone);
}
