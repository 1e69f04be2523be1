/**
 * Deliveries and the jobs of their attempts. Each attempt has a job of its own, so that deliveries
 * have their own pauses. A delivery has at most two jobs: the last attempt, and the one to follow.
 */
import type { WebhookDeliveryId, WebhookId } from '../../../shared/ids.ts';
import { WEBHOOK } from '../../jobs/lanes.ts';
import { deleteJobs, enqueue } from '../../jobs/queue.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { Db } from '../../store/procedure.ts';
import type { JobRow } from '../../store/schema/ledger.ts';
import type { WebhookDeliveryRow } from '../../store/schema/webhooks.ts';

/** The deliveries that are kept of one endpoint: the newest. */
export const DELIVERIES_KEPT_MAX = 300;

export type AttemptPayload = Readonly<{
  delivery: WebhookDeliveryId;
  /** From 1. */
  attempt: number;
}>;

type Attempted = Pick<WebhookDeliveryRow, 'id' | 'attempts'>;

export function attemptKey({ id }: Pick<Attempted, 'id'>, attempt: bigint): string {
  return `${WEBHOOK}/${id}/${attempt}`;
}

/** `next`: when the attempt after it follows, in ms since the epoch. Null: none does. */
export type AttemptFault = Readonly<{ fault: string; next: bigint | null }>;

/**
 * Why the attempts of the given jobs failed, by the ids of the jobs. Jobs without an entry are not the
 * last attempt of a delivery, or it was delivered.
 */
export async function faultsOf(
  db: Db,
  jobs: readonly Pick<JobRow, 'id' | 'kind' | 'idempotency_key'>[],
): Promise<ReadonlyMap<string, AttemptFault>> {
  const attempts = jobs.flatMap(({ id, kind, idempotency_key: key }) => {
    const [, delivery = '', attempt = ''] = key.split('/');
    return kind === WEBHOOK ? [{ job: id, delivery, attempt }] : [];
  });
  if (attempts.length === 0) return new Map();
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select(['id', 'attempts', 'last_fault', 'next_attempt'])
    .where('id', 'in', attempts.map(({ delivery }) => delivery) as never)
    .execute();
  const deliveries = new Map<string, (typeof rows)[number]>(rows.map((row) => [row.id, row]));
  return new Map(
    attempts.flatMap(({ job, delivery, attempt }): [string, AttemptFault][] => {
      const row = deliveries.get(delivery);
      if (row === undefined || String(row.attempts) !== attempt) return [];
      const { last_fault: fault, next_attempt: next } = row;
      return fault === null ? [] : [[job, { fault, next }]];
    }),
  );
}

/** For procedures: queues the next attempt of a delivery. `runAt` is in ms since the epoch. */
export async function enqueueAttempt(
  db: Db,
  delivery: Pick<WebhookDeliveryRow, 'id' | 'attempts' | 'webhook'>,
  created: number,
  runAt = created,
): Promise<void> {
  const attempt = delivery.attempts + 1n;
  await enqueue(db, {
    kind: WEBHOOK,
    subject: delivery.webhook,
    idempotencyKey: attemptKey(delivery, attempt),
    payload: { delivery: delivery.id, attempt: Number(attempt) } satisfies AttemptPayload,
    created,
    runAt,
  });
}

/** For procedures: deletes deliveries, and their jobs. */
export async function forgetDeliveries(db: Db, deliveries: readonly Attempted[]): Promise<void> {
  if (deliveries.length === 0) return;
  const ids = deliveries.map(({ id }) => id);
  await db.deleteFrom('webhook_deliveries').where('id', 'in', ids).execute();
  await deleteJobs(
    db,
    deliveries.flatMap((delivery) => [
      attemptKey(delivery, delivery.attempts),
      attemptKey(delivery, delivery.attempts + 1n),
    ]),
  );
}

/** More than one event can add. */
const TRIMMED_AT_ONCE_MAX = 50;

/** For procedures: deletes the oldest deliveries of an endpoint beyond those that are kept. */
export async function trimDeliveries(db: Db, webhook: WebhookId): Promise<void> {
  const beyond = await db
    .selectFrom('webhook_deliveries')
    .select(['id', 'attempts'])
    .where('webhook', '=', webhook)
    .orderBy('id', 'desc')
    .limit(TRIMMED_AT_ONCE_MAX)
    .offset(DELIVERIES_KEPT_MAX)
    .execute();
  await forgetDeliveries(db, beyond);
}

/** For procedures: gives up what waits for an endpoint that is turned off. */
export async function giveUpWaiting(db: Db, webhook: WebhookId, now: number): Promise<void> {
  const at = milliseconds(now);
  const ended = await db
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', last_fault: 'endpoint_off', next_attempt: null, ended: at })
    .where('webhook', '=', webhook)
    .where('state', '=', 'waiting')
    .returning(['id', 'attempts'])
    .execute();
  await deleteJobs(
    db,
    ended.map((delivery) => attemptKey(delivery, delivery.attempts + 1n)),
  );
}
