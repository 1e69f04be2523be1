/** The reliability of the platform in words: figures, and how they have changed. */
import type { Reliability } from '../../../../../shared/api/platform.ts';
import { writtenAvailability } from '../../../../../shared/availability.ts';
import { shownChange, shownMs, shownPoints } from '../../../format/count.ts';

/** How requests end, the best first. Together they are all requests. */
export const ENDINGS = [
  { of: 'answered', name: 'Answered', isOurs: false },
  { of: 'cancelled', name: 'The client disconnected', isOurs: false },
  { of: 'refused', name: 'Refused (4xx)', isOurs: false },
  { of: 'limited', name: 'Rate limit or cap (429)', isOurs: false },
  { of: 'unavailable', name: 'Unavailable (503)', isOurs: true },
  { of: 'failed', name: 'Failed (other 5xx)', isOurs: true },
] as const satisfies readonly Readonly<{
  of: keyof Reliability;
  name: string;
  /** Whether the fault is that of the platform. */
  isOurs: boolean;
}>[];

export type Ending = (typeof ENDINGS)[number];

export function allOf(figures: Reliability): number {
  return ENDINGS.reduce((sum, { of }) => sum + figures[of], 0);
}

/** Null without requests. */
export function shareOf(figures: Reliability, { of }: Ending): number | null {
  const all = allOf(figures);
  return all === 0 ? null : figures[of] / all;
}

/** Of all requests that the client did nothing wrong with: the share that failed. Null without any. */
export function errorShareOf({ availability }: Reliability): number | null {
  return availability === null ? null : 1 - availability;
}

export function shownAvailability(share: number | null): string {
  return share === null ? '–' : writtenAvailability(share);
}

/** `"Before: 99.9% (+0.1 points)"`. Null when there is nothing to compare. */
export function shareBefore(
  present: number | null,
  before: number | null,
  format: (share: number | null) => string,
): string | null {
  if (before === null) return null;
  const points = shownPoints(present, before);
  const isSame = points === null || points === '0 points';
  return `Before: ${format(before)}${isSame ? '' : ` (${points})`}`;
}

/** `"Before: 420 ms (+12%)"`. Null when there is nothing to compare. */
export function msBefore(present: number | null, before: number | null): string | null {
  if (before === null) return null;
  const change = shownChange(present, before);
  return `Before: ${shownMs(before)}${change === null || change === '0%' ? '' : ` (${change})`}`;
}
