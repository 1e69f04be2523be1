/** Instants in the reader's own time zone. */

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const SHORT = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const;
const THIS_YEAR = new Intl.DateTimeFormat(undefined, SHORT);
const OTHER_YEAR = new Intl.DateTimeFormat(undefined, { ...SHORT, year: 'numeric' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** The clock of a page turns in steps, so what just happened may seem to be this far ahead. */
const AHEAD_S_MAX = 30;

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
] as const;

/** Includes seconds and the name of the time zone. */
export function fullTime(instant: string): string {
  return FULL.format(new Date(instant));
}

/** Includes the year when it differs from the year of `now`, which is in ms since the epoch. */
export function shortTime(instant: string, now: number): string {
  const at = new Date(instant);
  const isThisYear = at.getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? THIS_YEAR : OTHER_YEAR).format(at);
}

export function dayOf(instant: string): string {
  return DAY.format(new Date(instant));
}

/** `"5 min. ago"`, or the date beyond 30 days. `now` is in ms since the epoch. */
export function ago(instant: string, now: number): string {
  let left = (Date.parse(instant) - now) / 1_000;
  if (left > 0 && left < AHEAD_S_MAX) left = 0;
  for (const [unit, many] of STEPS) {
    if (Math.abs(left) < many) return AGO.format(Math.round(left), unit);
    left /= many;
  }
  return dayOf(instant);
}
