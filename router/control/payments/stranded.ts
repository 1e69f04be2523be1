/**
 * Ends what was begun with a payment provider that this fleet is not configured with any more: nobody will ever tell
 * what became of it. Should that provider be configured again, its events count as ever.
 */
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';
import type { Procedure } from '../../store/procedure.ts';
import type { Round } from '../jobs/rounds.ts';
import { giveUpPayment, giveUpRefund } from './give-up.ts';
import { pendingRefunds } from './refunds.ts';
import type { TellParts } from './tell.ts';

const EVERY_MS = 60_000;
const AT_ONCE_MAX = 100;
const HOUR_MS = 60 * 60 * 1000;
/** While routers are restarted one by one, or a setting was a mistake, the former provider is still there. */
const UNASKED_MS = HOUR_MS;
const ASKED_MS = 24 * HOUR_MS;
const REFUND_ASKED_MS = 30 * ASKED_MS;

type Stranded = Readonly<{ payments: readonly PaymentRow[]; refunds: readonly RefundRow[] }>;

/** `provider`: the one that is configured; null: none is. */
export const findStranded: Procedure<
  Readonly<{ provider: string | null; now: number; limit: number }>,
  Stranded
> = {
  name: 'findStranded',
  access: 'read',
  async run(db, { provider, now, limit }) {
    const before = BigInt(Math.round(now - UNASKED_MS));
    const other = provider ?? '';
    return {
      payments: await db
        .selectFrom('payments')
        .selectAll()
        .where('look_at', 'is not', null)
        .where('provider', '!=', other)
        .where('created', '<=', before)
        .orderBy('look_at')
        .limit(limit)
        .execute(),
      refunds: await pendingRefunds(db)
        .where('payments.provider', '!=', other)
        .where('refunds.created', '<=', before)
        .limit(limit)
        .execute(),
    };
  },
};

/** Made by every router, whether or not it takes payments. */
export function strandedRound(parts: TellParts, provider: string | null): Round {
  const { store, clock } = parts;
  return {
    name: 'stranded',
    everyMs: EVERY_MS,
    async run(stopping) {
      const now = clock.now();
      const found = await store.call(findStranded, { provider, now, limit: AT_ONCE_MAX });
      for (const payment of found.payments) {
        if (stopping?.aborted) return;
        if (isStranded(payment, now)) await giveUpPayment(parts, payment, whyOf(payment));
      }
      for (const refund of found.refunds) {
        if (stopping?.aborted) return;
        const isUnasked = refund.asks === 0n;
        const ageMs = now - Number(refund.created);
        if (isUnasked || ageMs >= REFUND_ASKED_MS) await giveUpRefund(parts, refund);
      }
    },
  };
}

/** A recharge that nobody was asked to charge is no risk to anybody; what may have been paid is waited for. */
function isStranded({ purpose, charge_asked, created }: PaymentRow, now: number): boolean {
  const isUnasked = purpose === 'recharge' && charge_asked === null;
  return isUnasked || now - Number(created) >= ASKED_MS;
}

function whyOf({ provider }: PaymentRow): string {
  return `payments are not taken by ${provider} any more`;
}
