/** Reads the attempts of a job or of a delivery, of which a later version may write another shape. */
import { z } from 'zod';
import { UNSENT_REASONS } from '../../../shared/jobs.ts';
import type { JobAttempt } from '../../jobs/attempt-log.ts';

const Attempt = z.object({
  started: z.number().nullable(),
  ended: z.number(),
  router: z.string(),
  fault: z.string().nullable(),
  recipients: z.number().optional(),
  unsent: z.enum(UNSENT_REASONS).optional().catch(undefined),
}) satisfies z.ZodType<JobAttempt>;

/** Returns the attempts of a log that have the given shape, the oldest first. */
export function attemptsOf<Kept>(log: string | null, shape: z.ZodType<Kept>): Kept[] {
  if (log === null) return [];
  const attempts = JSON.parse(log) as unknown[];
  return attempts.flatMap((attempt) => shape.safeParse(attempt).data ?? []);
}

/** The attempts of a job, the oldest first. */
export function jobAttempts(log: string | null): JobAttempt[] {
  return attemptsOf(log, Attempt);
}
