/**
 * The last attempts of a job or of a delivery, as the store keeps them: JSON in the row, so that they
 * are bounded and are deleted with it.
 */
import { ATTEMPTS_KEPT_MAX, type UnsentReason } from '../../shared/jobs.ts';

export type JobAttempt = Readonly<{
  /** ms since the epoch. Null: a router of an earlier version has leased the job. */
  started: number | null;
  ended: number;
  /** The incarnation of the router that ran it. */
  router: string;
  /** What `storedFault` returns; null: it succeeded. */
  fault: string | null;
  /** For an email: to how many people it was sent, or for how many it was queued. */
  recipients?: number | undefined;
  /** For an email that was sent to nobody: why. */
  unsent?: UnsentReason | undefined;
}>;

/** Returns the log with one more attempt, and without the oldest ones that are too many. */
export function withAttempt(log: string | null, attempt: object): string {
  const before = log === null ? [] : (JSON.parse(log) as object[]);
  return JSON.stringify([...before, attempt].slice(-ATTEMPTS_KEPT_MAX));
}
