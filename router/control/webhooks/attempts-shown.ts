/** Reads the attempts of a delivery, which a later version may write in another shape. */
import { z } from 'zod';
import { attemptsOf } from '../jobs/attempts.ts';
import type { DeliveryAttempt } from './delivery-log.ts';

const Kept = z.object({
  at: z.number(),
  took: z.number().optional(),
  status: z.number().nullable(),
  fault: z.string().nullable(),
  answer: z.string().nullable().optional(),
}) satisfies z.ZodType<DeliveryAttempt>;

/** The newest first. */
export function deliveryAttempts(log: string | null): DeliveryAttempt[] {
  return attemptsOf(log, Kept).toReversed();
}
