/** A range of time that a history is asked for by its start. */
import { Refused } from './api.ts';

/** In ms since the epoch. */
type Asked = Readonly<{ start?: number | undefined; end?: number | undefined }>;

/** `keptMs`: how long the history is kept. `begins`: when it therefore begins, in words. */
type Kept = Readonly<{ now: number; keptMs: number; begins: string }>;

/**
 * Returns the range within the history, in ms since the epoch: its end is exclusive and not after
 * `now`. Null if no range was asked for. Throws `Refused` for a range that the history cannot have.
 */
export function askedRange(
  { start, end }: Asked,
  { now, keptMs, begins }: Kept,
): Readonly<{ start: number; end: number }> | null {
  if (start === undefined && end === undefined) return null;
  if (start === undefined) throw new Refused('invalid_value', 'An end needs a start.', 'start');
  if (start < now - keptMs) {
    throw new Refused('invalid_value', `The history begins ${begins}.`, 'start');
  }
  const last = Math.min(end ?? now, now);
  if (start < last) return { start, end: last };
  const message = 'The start must be before the end, and in the past.';
  throw new Refused('invalid_value', message, end === undefined ? 'start' : 'end');
}
