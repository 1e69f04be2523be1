/** Instants in the reader's own zone. */

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const SHORT = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

const STEPS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
] as const;

/** With seconds and the name of the zone. */
export function fullTime(instant: string): string {
  return FULL.format(new Date(instant));
}

export function shortTime(instant: string): string {
  return SHORT.format(new Date(instant));
}

export function dayOf(instant: string): string {
  return DAY.format(new Date(instant));
}

/** `"5 min. ago"`; beyond a month the day. `now` in ms since the epoch. */
export function ago(instant: string, now: number): string {
  let left = (Date.parse(instant) - now) / 1_000;
  for (const [unit, many] of STEPS) {
    if (Math.abs(left) < many) return AGO.format(Math.round(left), unit);
    left /= many;
  }
  return dayOf(instant);
}
