/** The last attempts of a delivery, as the store keeps them in its row. */
import { z } from 'zod';
import { attemptsOf } from '../jobs/attempts.ts';

const DeliveryAttempt = z.object({
  /** When it ended, in ms since the epoch. */
  at: z.number(),
  /** The status of the answer; null: there was none. */
  status: z.number().nullable(),
  /** One of `DELIVERY_FAULTS`; null: it was delivered. */
  fault: z.string().nullable(),
});
export type DeliveryAttempt = Readonly<z.infer<typeof DeliveryAttempt>>;

/** The oldest first. */
export function deliveryAttempts(log: string | null): DeliveryAttempt[] {
  return attemptsOf(log, DeliveryAttempt);
}
