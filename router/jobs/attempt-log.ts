/**
 * The last attempts of a job or of a delivery, as the store keeps them: JSON in the row, so that they
 * are bounded and are deleted with it.
 */
import { z } from 'zod';
import { ATTEMPTS_KEPT_MAX } from '../../shared/jobs.ts';

const JobAttempt = z.object({
  /** ms since the epoch. Null: a router of an earlier version has leased the job. */
  started: z.number().nullable(),
  ended: z.number(),
  /** The incarnation of the router that ran it. */
  router: z.string(),
  /** What `storedFault` returns; null: it succeeded. */
  fault: z.string().nullable(),
});
export type JobAttempt = Readonly<z.infer<typeof JobAttempt>>;

/** Returns the log with one more attempt, and without the oldest ones that are too many. */
export function withAttempt(log: string | null, attempt: object): string {
  const before = log === null ? [] : (JSON.parse(log) as object[]);
  return JSON.stringify([...before, attempt].slice(-ATTEMPTS_KEPT_MAX));
}

/** Returns the attempts of a log that have the given shape, the oldest first. */
export function attemptsOf<Attempt>(log: string | null, shape: z.ZodType<Attempt>): Attempt[] {
  if (log === null) return [];
  const attempts = JSON.parse(log) as unknown[];
  // A later version may write attempts of another shape.
  return attempts.flatMap((attempt) => shape.safeParse(attempt).data ?? []);
}

/** The attempts of a job, the oldest first. */
export function jobAttempts(log: string | null): JobAttempt[] {
  return attemptsOf(log, JobAttempt);
}
