/**
 * Looks after payments that nobody has told us of: a webhook that was lost is no lost credit, and a checkout that
 * was left is not open for ever.
 */
import type { PaymentId } from '../../../shared/ids.ts';
import { isJobOpen } from '../../ledger/jobs.ts';
import type { Procedure } from '../../store/procedure.ts';
import type { PaymentRow } from '../../store/schema/payments.ts';
import type { Round } from '../jobs/rounds.ts';
import { chargeKeyOf } from '../recharge/procedures.ts';
import type { PaymentProvider, ProviderEvent } from './provider.ts';
import { tellEvent, type TellParts } from './tell.ts';

const EVERY_MS = 10_000;
const AT_ONCE_MAX = 100;
const OPEN_MS_MAX = 24 * 60 * 60 * 1000;
const PAUSE_MS_MIN = 60_000;
const PAUSE_MS_MAX = 60 * 60 * 1000;

export const findLooks: Procedure<
  Readonly<{ provider: string; now: number; limit: number }>,
  readonly PaymentRow[]
> = {
  name: 'findLooks',
  access: 'read',
  run: (db, { provider, now, limit }) =>
    db
      .selectFrom('payments')
      .selectAll()
      .where('look_at', '<=', BigInt(Math.round(now)))
      .where('provider', '=', provider)
      .orderBy('look_at')
      .limit(limit)
      .execute(),
};

/** Nothing is known of it yet: it is looked at again later, or has been open for so long that it is to be ended. */
export const postponeLook: Procedure<
  Readonly<{ payment: PaymentId; now: number }>,
  'postponed' | 'too_old' | 'ended'
> = {
  name: 'postponeLook',
  access: 'write',
  async run(db, { payment: id, now }) {
    const payment = await db
      .selectFrom('payments')
      .select(['state', 'created'])
      .where('id', '=', id)
      .where('look_at', 'is not', null)
      .executeTakeFirst();
    if (!payment) return 'ended';
    const ageMs = now - Number(payment.created);
    // What the provider has taken on it will end, and what is still asked for may be charged yet, however far the
    // clock was moved: another would be paid beside it.
    const isOld = ageMs >= OPEN_MS_MAX && payment.state !== 'pending';
    if (isOld && !(await isJobOpen(db, chargeKeyOf(id)))) return 'too_old';
    const pauseMs = Math.min(Math.max(ageMs, PAUSE_MS_MIN), PAUSE_MS_MAX);
    await db
      .updateTable('payments')
      .set({ look_at: BigInt(Math.round(now + pauseMs)) })
      .where('id', '=', id)
      .execute();
    return 'postponed';
  },
};

export function lookRound(parts: TellParts, provider: PaymentProvider): Round {
  const { store, clock, log } = parts;
  return {
    name: 'payments',
    everyMs: EVERY_MS,
    async run(stopping) {
      const ask = { provider: provider.name, now: clock.now(), limit: AT_ONCE_MAX };
      for (const payment of await store.call(findLooks, ask)) {
        // A provider that does not answer takes half a minute for each.
        if (stopping?.aborted) return;
        const { id } = payment;
        try {
          await look(parts, provider, payment);
        } catch (error) {
          log.warn({ payment: id, error: String(error) }, 'a payment could not be looked after');
        }
        const left = await store.call(postponeLook, { payment: id, now: clock.now() });
        if (left === 'too_old') await giveUp(parts, payment);
      }
    },
  };
}

/** As if the provider had told it; should it be paid after all, it is credited. */
async function giveUp(parts: TellParts, { id, provider, purpose }: PaymentRow): Promise<void> {
  parts.log.warn({ payment: id }, 'a payment was given up');
  const reason = 'the provider never said what became of it';
  const about = { event: `given up:${id}`, payment: id };
  const event: ProviderEvent =
    purpose === 'recharge'
      ? { kind: 'payment_failed', reason, ...about }
      : { kind: 'checkout_expired', ...about };
  await tellEvent(parts, provider, event);
}

async function look(
  parts: TellParts,
  provider: PaymentProvider,
  { id, reference, checkout }: PaymentRow,
): Promise<void> {
  // Without either the provider has not answered yet, or never has.
  const known = reference ?? checkout;
  if (known === null) return;
  const event = await provider.look({ payment: id, reference: known });
  if (event) await tellEvent(parts, provider.name, event);
}
