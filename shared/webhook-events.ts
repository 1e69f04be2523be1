/** The types of events that are sent to webhook endpoints. */

/** The types that an endpoint can choose. */
export const WEBHOOK_EVENTS = [
  'balance.low',
  'balance.exhausted',
  'budget.reached',
  'payment.succeeded',
  'payment.failed',
  'invoice.issued',
  'key.revoked',
] as const;

/** The type of the event that somebody has sent as a test. */
export const TEST_EVENT = 'webhook.test';

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;

/** The most attempts of a delivery whose answers are kept, and the bytes of each. */
export const ANSWERS_KEPT_MAX = 3;
export const ANSWER_BYTES_MAX = 2_048;
