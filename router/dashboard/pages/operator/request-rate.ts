/** Rates of requests on the pages for operators: all of them are per second. */
import { shownSpeed } from '../../format/count.ts';

/** The name of the figure, above a tile or a chart. */
export const REQUEST_RATE = 'Requests per second';
/** The same at the head of a column. */
export const REQUEST_RATE_COLUMN = 'Requests/s';

/** Two significant digits, so that one request in some minutes is not shown as none. */
const BELOW_TEN = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** `seconds`: the time in which the requests ended. */
export function requestsPerSecond(requests: number, seconds: number): number {
  return requests / seconds;
}

/** `0.0166` → `"0.017"`, `0.65` → `"0.65"`, `12.34` → `"12.3"`, `1234.5` → `"1,235"`. */
export function shownRequestRate(perSecond: number): string {
  return perSecond < 10 ? BELOW_TEN.format(perSecond) : shownSpeed(perSecond);
}
