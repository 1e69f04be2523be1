/** Deliveries as people see them, and what they may have sent: an event again, or a test. */
import type { WebhookDeliveryId } from '../../../shared/ids.ts';
import { deleteJobs, isJobOpen, rescheduleJob } from '../../jobs/queue.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { WebhookDeliveryRow } from '../../store/schema/webhooks.ts';
import { audited } from '../audit/record.ts';
import { TEST_EVENT } from '../../../shared/webhook-events.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { postTestEvent } from './events.ts';
import { lockOwn, type OfWebhook } from './procedures.ts';
import { attemptKey, enqueueAttempt } from './queue.ts';

/** A delivery without its attempts, which may have long answers. */
export type ListedDelivery = Omit<WebhookDeliveryRow, 'attempt_log'>;

const LISTED = [
  'id',
  'organization',
  'webhook',
  'event',
  'type',
  'body',
  'state',
  'attempts',
  'round',
  'last_attempt',
  'last_status',
  'last_fault',
  'next_attempt',
  'created',
  'ended',
] as const satisfies readonly (keyof ListedDelivery)[];

/** Null: of every state, or of every type. */
type DeliveryFilter = Readonly<{ state: WebhookDeliveryRow['state'] | null; type: string | null }>;

/** Lists the deliveries of an endpoint, newest first. Null: there is no such endpoint. */
export const listDeliveries = readProcedure<
  OfWebhook & DeliveryFilter & ListQuery<WebhookDeliveryId>,
  Page<ListedDelivery, WebhookDeliveryId> | null
>('listDeliveries', async (db, { organization, webhook, state, type, ...asked }) => {
  const endpoint = await db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', webhook)
    .where('organization', '=', organization)
    .executeTakeFirst();
  if (!endpoint) return null;
  let query = db.selectFrom('webhook_deliveries').select(LISTED).where('webhook', '=', webhook);
  if (state !== null) query = query.where('state', '=', state);
  if (type !== null) query = query.where('type', '=', type);
  return await readPage(query, 'id', asked);
});

/** Returns a delivery with its attempts. Null: there is none of this endpoint. */
export const readDelivery = readProcedure<
  OfWebhook & Readonly<{ delivery: WebhookDeliveryId }>,
  WebhookDeliveryRow | null
>('readDelivery', async (db, { organization, webhook, delivery }) => {
  const row = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', delivery)
    .where('webhook', '=', webhook)
    .where('organization', '=', organization)
    .executeTakeFirst();
  return row ?? null;
});

/**
 * Sends a test event. It is tried once. `off`: the endpoint is not active. `busy`: a test event
 * waits already, so that nobody can pile them up.
 */
const testWebhook = writeProcedure<
  OfWebhook & Readonly<{ now: number }>,
  WebhookDeliveryRow | 'unknown' | 'off' | 'busy'
>('testWebhook', async (db, { now, ...own }) => {
  const endpoint = await lockOwn(db, own);
  if (!endpoint) return 'unknown';
  if (endpoint.active === 0n) return 'off';
  const waiting = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('webhook', '=', own.webhook)
    .where('type', '=', TEST_EVENT)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  if (waiting) return 'busy';
  const cause = {
    organization: own.organization,
    occasion: `${own.webhook}/${Math.round(now)}`,
    created: now,
  };
  return (await postTestEvent(db, own.webhook, cause)) ?? 'busy';
});

/**
 * Sends a delivery again, from the first attempt on. One that waits for its next attempt gets it
 * now. `off`: the endpoint is not active.
 */
const sendAgain = writeProcedure<
  OfWebhook & Readonly<{ delivery: WebhookDeliveryId; now: number }>,
  WebhookDeliveryRow | 'unknown' | 'off'
>('sendAgain', async (db, { delivery, now, ...own }) => {
  const endpoint = await lockOwn(db, own);
  if (!endpoint) return 'unknown';
  const row = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', delivery)
    .where('webhook', '=', own.webhook)
    .executeTakeFirst();
  if (!row) return 'unknown';
  if (endpoint.active === 0n) return 'off';
  const next = attemptKey(row, row.attempts + 1n);
  if (row.state === 'waiting' && (await isJobOpen(db, next))) {
    await rescheduleJob(db, next, now);
  } else {
    await deleteJobs(db, [next]);
    await enqueueAttempt(db, row, now);
  }
  return await db
    .updateTable('webhook_deliveries')
    .set({
      state: 'waiting',
      next_attempt: milliseconds(now),
      ended: null,
      ...(row.state === 'waiting' ? {} : { round: 0n }),
    })
    .where('id', '=', delivery)
    .returningAll()
    .executeTakeFirstOrThrow();
});

export const testWebhookAudited = audited(testWebhook);
export const sendAgainAudited = audited(sendAgain);
