/** Messages of the API as people read them. */
import { withTimes, type Zone } from './time.ts';

/** Amounts and times stand in it as everywhere else in the dashboard. */
export function shownMessage(message: string, zone: Zone): string {
  return withTimes(message, zone).replaceAll(/\bUSD (?=\d)/g, '$');
}
