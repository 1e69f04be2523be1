/** The procedures of an attempt: what is to be sent, and what came of it. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.ts';
import type { AuditId, WebhookDeliveryId, WebhookId } from '../../../shared/ids.ts';
import { deleteJobs } from '../../jobs/queue.ts';
import { TEST_EVENT } from '../../../shared/webhook-events.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { WebhookDeliveryRow, WebhookEndpointRow } from '../../store/schema/webhooks.ts';
import { record, systemEntry } from '../audit/record.ts';
import { postLetter } from '../mail/letter.ts';
import { withDeliveryAttempt } from './delivery-log.ts';
import { attemptKey, enqueueAttempt, giveUpWaiting } from './queue.ts';
import type { Sent } from './send.ts';

/** The pauses between the attempts of a delivery: about a day in all. */
export const PAUSES_MS = [
  5_000,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  8 * HOUR_MS,
  8 * HOUR_MS,
] as const;

/** An endpoint is disabled when nothing has been delivered for this long, and attempts failed. */
export const FAILING_MS_MAX = 3 * DAY_MS;

export type AttemptOf = Readonly<{ delivery: WebhookDeliveryId; attempt: number }>;

export type DueAttempt = Pick<
  WebhookEndpointRow,
  'id' | 'url' | 'secret' | 'former_secret' | 'former_until'
> &
  Pick<WebhookDeliveryRow, 'event' | 'body'>;

/** Returns null when the attempt is not to be made, or not any more. */
export const readAttempt = readProcedure<AttemptOf, DueAttempt | null>(
  'readAttempt',
  async (db, { delivery, attempt }) => {
    const due = await db
      .selectFrom('webhook_deliveries as d')
      .innerJoin('webhook_endpoints as w', 'w.id', 'd.webhook')
      .select(['w.id', 'w.url', 'w.secret', 'w.former_secret', 'w.former_until'])
      .select(['d.event', 'd.body'])
      .where('d.id', '=', delivery)
      .where('d.state', '=', 'waiting')
      .where('d.attempts', '=', BigInt(attempt - 1))
      .where('w.active', '=', 1n)
      .executeTakeFirst();
    return due ?? null;
  },
);

export type AttemptEnd = AttemptOf &
  Readonly<{
    webhook: WebhookId;
    sent: Sent;
    /** The id of the entry in the audit log if the endpoint is disabled. */
    audit: AuditId;
    /** ms since the epoch. */
    now: number;
  }>;

/**
 * Records an attempt, and queues the next one if it failed. `gone`: it is recorded already, or the
 * delivery or its endpoint has ended meanwhile. `disabled`: the endpoint has failed for too long.
 */
export const recordAttempt = writeProcedure<
  AttemptEnd,
  'delivered' | 'retried' | 'failed' | 'disabled' | 'gone'
>('recordAttempt', async (db, end) => {
  const { delivery, attempt, webhook, sent, now } = end;
  const at = milliseconds(now);
  const endpoint = await lockEndpoint(db, webhook);
  if (!endpoint) return 'gone';
  const row = await db
    .updateTable('webhook_deliveries')
    .set((before) => ({
      attempts: BigInt(attempt),
      round: before('round', '+', 1n),
      last_attempt: at,
      last_status: sent.status === null ? null : BigInt(sent.status),
      last_fault: sent.fault,
    }))
    .where('id', '=', delivery)
    .where('state', '=', 'waiting')
    .where('attempts', '=', BigInt(attempt - 1))
    .returningAll()
    .executeTakeFirst();
  if (!row) return 'gone';
  await change(db, webhook, { turn: at });
  await deleteJobs(db, [attemptKey(row, row.attempts - 1n)]);
  const isTest = row.type === TEST_EVENT;
  const attempt_log = withDeliveryAttempt(row.attempt_log, { at: Number(at), ...sent });
  if (sent.fault === null) {
    await changeDelivery(db, row, { ...ended('delivered', at), attempt_log });
    if (endpoint.failing_since !== null) await change(db, webhook, { failing_since: null });
    return 'delivered';
  }
  const pause = isTest ? undefined : PAUSES_MS[Number(row.round) - 1];
  const answer = pause === undefined ? 'failed' : 'retried';
  if (pause === undefined) {
    await changeDelivery(db, row, { ...ended('failed', at), attempt_log });
  } else {
    await changeDelivery(db, row, { next_attempt: milliseconds(now + pause), attempt_log });
    await enqueueAttempt(db, row, now, now + pause);
  }
  return (await noteFailure(db, endpoint, end, isTest)) ? 'disabled' : answer;
});

/** For procedures: locks an endpoint until the transaction ends, before its deliveries. */
export function lockEndpoint(db: Db, webhook: WebhookId): Promise<WebhookEndpointRow | undefined> {
  return db
    .updateTable('webhook_endpoints')
    .set((row) => ({ active: row.ref('active') }))
    .where('id', '=', webhook)
    .returningAll()
    .executeTakeFirst();
}

type DeliveryChange = Partial<
  Pick<WebhookDeliveryRow, 'state' | 'ended' | 'next_attempt' | 'attempt_log'>
>;

function ended(state: 'delivered' | 'failed', at: bigint): DeliveryChange {
  return { state, ended: at, next_attempt: null };
}

async function changeDelivery(
  db: Db,
  { id }: WebhookDeliveryRow,
  to: DeliveryChange,
): Promise<void> {
  await db.updateTable('webhook_deliveries').set(to).where('id', '=', id).execute();
}

/** Returns whether the endpoint was disabled. A test that fails is no reason to. */
async function noteFailure(
  db: Db,
  { id, organization, url, failing_since: since }: WebhookEndpointRow,
  { audit, now }: AttemptEnd,
  isTest: boolean,
): Promise<boolean> {
  if (isTest) return false;
  if (since === null) {
    await change(db, id, { failing_since: milliseconds(now) });
    return false;
  }
  if (now - Number(since) < FAILING_MS_MAX) return false;
  await change(db, id, { active: 0n, disabled: milliseconds(now) });
  await giveUpWaiting(db, id, now);
  const host = hostOf(url);
  await record(
    db,
    systemEntry({
      id: audit,
      organization,
      action: 'webhook.disable',
      target: id,
      details: { host },
      created: now,
    }),
  );
  const letter = { kind: 'webhook-disabled', organization, webhook: id, host } as const;
  await postLetter(db, letter, { occasion: `${id}/${Math.round(now)}`, created: now });
  return true;
}

async function change(
  db: Db,
  webhook: WebhookId,
  to: Partial<Pick<WebhookEndpointRow, 'active' | 'disabled' | 'failing_since' | 'turn'>>,
): Promise<void> {
  await db.updateTable('webhook_endpoints').set(to).where('id', '=', webhook).execute();
}

/** How an endpoint is named where its whole URL, which may contain a secret, must not be. */
export function hostOf(url: string): string {
  return new URL(url).host;
}
