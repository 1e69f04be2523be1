/** Instants as `datetime-local` inputs have them. */
import { MINUTE_MS } from '../../../shared/durations.ts';
import type { Zone } from './time.ts';

/** An instant as a `datetime-local` input has it. `at`: in ms since the epoch. */
export function inputText(at: number, zone: Zone): string {
  const offsetMs = zone === 'UTC' ? 0 : new Date(at).getTimezoneOffset() * MINUTE_MS;
  return new Date(at - offsetMs).toISOString().slice(0, 16);
}

/** The instant that a `datetime-local` input has, in ms since the epoch; NaN if it is empty. */
export function inputInstant(text: string, zone: Zone): number {
  return Date.parse(zone === 'UTC' ? `${text}Z` : text);
}
