/**
 * Days and months that are counted in UTC, such as those of usage, whatever the reader's time zone.
 */

const DAY = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });
const DATE = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium' });
const DAYS = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', dateStyle: 'medium' });
const MONTH = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long' });

/** `"2026-11-21"`, as date inputs and addresses write it. `at` is in ms since the epoch. */
export function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** `"2026-11-21T00:00:00.000Z"` → `"Nov 21"`. */
export function utcDay(instant: string): string {
  return DAY.format(new Date(instant));
}

/** `"2026-11-21T00:00:00.000Z"` → `"Nov 21, 2026"`. */
export function utcDate(instant: string): string {
  return DATE.format(new Date(instant));
}

/** `"Nov 1 – 21, 2026"`; `end` is not included. */
export function daysShown(start: string, end: string): string {
  return DAYS.formatRange(new Date(start), new Date(Date.parse(end) - 1));
}

/** `"2026-11-21T14:02:00.000Z"` → `"Nov 21, 14:02 UTC"`. */
export function utcMinute(instant: string): string {
  return `${utcDay(instant)}, ${instant.slice(11, 16)} UTC`;
}

/** `"2026-11-21T14:02:00.000Z"` → `"14:02"`. The end of a day is 24:00 of that day. */
export function utcClock(instant: string, isEnd = false): string {
  const clock = instant.slice(11, 16);
  return isEnd && clock === '00:00' ? '24:00' : clock;
}

/** `"2026-11-01T00:00:00.000Z"` → `"November"`. */
export function utcMonth(instant: string): string {
  return MONTH.format(new Date(instant));
}
