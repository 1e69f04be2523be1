/** Over which time an uptime was measured, in words. It is never longer than what was measured. */
import { DAY_MS } from '../../../shared/durations.ts';
import { UPTIME_DAYS } from '../../../shared/public-figures.ts';
import { now } from '../clock.ts';
import { shownUptime } from './count.ts';
import { utcMinute } from './utc.ts';

/**
 * `"over 30 days"`, or `"since Nov 26, 14:02 UTC"` if it was measured for less. `at`: the time of
 * the figures. Empty if nothing was measured.
 */
export function measuredTime(since: string | null, at: number = now()): string {
  if (since === null) return '';
  const firstDay = Math.floor(Date.parse(since) / DAY_MS);
  const today = Math.floor(at / DAY_MS);
  const isWhole = today - firstDay >= UPTIME_DAYS - 1 && Date.parse(since) % DAY_MS === 0;
  return isWhole ? `over ${UPTIME_DAYS} days` : `since ${utcMinute(since)}`;
}

type Measured = Readonly<{ uptime: number | null; uptime_since: string | null }>;

/** `"99.95% over 30 days"`; `what` follows the figure. Without a figure, since when it is measured. */
export function uptimeWords(
  { uptime, uptime_since: since }: Measured,
  at: number = now(),
  what = '',
): string {
  if (since === null) return 'Not measured yet';
  if (uptime === null) return `Measured ${measuredTime(since, at)}`;
  return `${shownUptime(uptime)}${what} ${measuredTime(since, at)}`;
}
