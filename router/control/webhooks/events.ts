/**
 * The events that customers are told of by webhooks. An event is recorded in the transaction that
 * causes it: as one delivery for each endpoint that wants it, with the job of its first attempt.
 */
import type { WebhookEventType } from '../../../shared/api/webhooks.ts';
import {
  derivedId,
  type InvoiceId,
  type KeyId,
  type OrganizationId,
  type PaymentId,
  type WebhookId,
} from '../../../shared/ids.ts';
import { TEST_EVENT } from '../../../shared/webhook-events.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db } from '../../store/procedure.ts';
import type { WebhookDeliveryRow } from '../../store/schema/webhooks.ts';
import { enqueueAttempt, trimDeliveries } from './queue.ts';

/** What the events say, by their type. Amounts are decimal USD. */
type EventData = Readonly<{
  'balance.low': Readonly<{ balance: string; threshold: string }>;
  'balance.exhausted': Readonly<{ balance: string; held: string }>;
  /** `month`: as YYYY-MM. */
  'budget.reached': Readonly<{ percent: number; spent: string; budget: string; month: string }>;
  'payment.succeeded': Readonly<{
    payment: PaymentId;
    purpose: 'top-up' | 'recharge';
    amount: string;
  }>;
  /** `reason`: a code or a sentence of the provider. */
  'payment.failed': Readonly<{
    payment: PaymentId;
    purpose: 'top-up' | 'recharge';
    amount: string;
    reason: string;
  }>;
  /** `due`: as ISO 8601. `month`: as YYYY-MM. */
  'invoice.issued': Readonly<{
    invoice: InvoiceId;
    number: string;
    month: string;
    amount_due: string;
    due: string;
  }>;
  /** A key that was active does not work any more. */
  'key.revoked': Readonly<{ key: KeyId; name: string; state: 'revoked' | 'deleted' }>;
}>;

export type WebhookEvent = {
  [Type in WebhookEventType]: Readonly<{ type: Type; data: EventData[Type] }>;
}[WebhookEventType];

type Cause = Readonly<{
  organization: OrganizationId;
  /** The same for the same cause: an event is recorded once for it. */
  occasion: string;
  /** ms since the epoch. */
  created: number;
}>;

/** For procedures: records an event for each active endpoint that has chosen its type. */
export async function postEvent(db: Db, event: WebhookEvent, cause: Cause): Promise<void> {
  const endpoints = await db
    .selectFrom('webhook_endpoints')
    .select(['id', 'events'])
    .where('organization', '=', cause.organization)
    .where('active', '=', 1n)
    .orderBy('id')
    .execute();
  for (const { id, events } of endpoints) {
    if (wantsEvent(events, event.type)) await addDelivery(db, id, event, cause);
  }
}

/** `events`: the types that an endpoint has chosen, as they are stored. */
export function wantsEvent(events: string, type: WebhookEventType): boolean {
  return events.split(' ').includes(type);
}

/** For procedures: records an event that one endpoint gets on demand. */
export async function postTestEvent(
  db: Db,
  webhook: WebhookId,
  cause: Cause,
): Promise<WebhookDeliveryRow | null> {
  return await addDelivery(db, webhook, { type: TEST_EVENT, data: { webhook } }, cause);
}

/** Returns null when the event was recorded before. */
async function addDelivery(
  db: Db,
  webhook: WebhookId,
  { type, data }: Readonly<{ type: string; data: object }>,
  { organization, occasion, created }: Cause,
): Promise<WebhookDeliveryRow | null> {
  const event = derivedId('webhookEvent', `${organization}/${type}/${occasion}`, created);
  const timestamp = new Date(created).toISOString();
  const row: WebhookDeliveryRow = {
    id: derivedId('webhookDelivery', `${webhook}/${event}`, created),
    organization,
    webhook,
    event,
    type,
    body: JSON.stringify({ id: event, type, timestamp, data: { organization, ...data } }),
    state: 'waiting',
    attempts: 0n,
    round: 0n,
    last_attempt: null,
    last_status: null,
    last_fault: null,
    next_attempt: milliseconds(created),
    created: milliseconds(created),
    ended: null,
    attempt_log: null,
  };
  const added = await db
    .insertInto('webhook_deliveries')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) return null;
  await enqueueAttempt(db, row, created);
  await trimDeliveries(db, webhook);
  return row;
}
