/** The last attempts of a delivery, as the store keeps them in its row. */
import { withAttempt } from '../../jobs/attempt-log.ts';
import { ANSWERS_KEPT_MAX } from '../../../shared/webhook-events.ts';

export type DeliveryAttempt = Readonly<{
  /** When it ended, in ms since the epoch. */
  at: number;
  /** How long it took, in ms. Routers of earlier versions did not write it. */
  took?: number | undefined;
  /** The status of the answer; null: there was none. */
  status: number | null;
  /** One of `DELIVERY_FAULTS`; null: it was delivered. */
  fault: string | null;
  /** The first bytes of the answer's body, as text. Older attempts have none. */
  answer?: string | null | undefined;
}>;

/** Returns the log with one more attempt, and with the answers of only the newest attempts. */
export function withDeliveryAttempt(log: string | null, attempt: DeliveryAttempt): string {
  const attempts = JSON.parse(withAttempt(log, attempt)) as DeliveryAttempt[];
  const bare = attempts.length - ANSWERS_KEPT_MAX;
  return JSON.stringify(
    attempts.map((one, index) => (index < bare ? { ...one, answer: undefined } : one)),
  );
}
