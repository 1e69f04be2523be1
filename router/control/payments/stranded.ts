/**
 * Ends payments and refunds at a provider that is not configured any more, because nobody will
 * report their results. If that provider is configured again, its events still count.
 */
import { HOUR_MS } from '../../../shared/durations.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { readProcedure } from '../../store/procedure.ts';
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';
import { giveUpPayment, giveUpRefund } from './give-up.ts';
import type { IngestParts } from './ingest-event.ts';
import { pendingRefunds } from './refunds.ts';

const EVERY_MS = 60_000;
const AT_ONCE_MAX = 100;
/**
 * Grace periods, because the former provider may still be in use while routers restart one by one,
 * or until a wrong setting is corrected.
 */
const UNASKED_MS = HOUR_MS;
const ASKED_MS = 24 * HOUR_MS;
const REFUND_ASKED_MS = 30 * ASKED_MS;

type Stranded = Readonly<{ payments: readonly PaymentRow[]; refunds: readonly RefundRow[] }>;

/** `provider`: the configured provider, or null when none is configured. */
export const findStranded = readProcedure<
  Readonly<{ provider: string | null; now: number; limit: number }>,
  Stranded
>('findStranded', async (db, { provider, now, limit }) => {
  const before = milliseconds(now - UNASKED_MS);
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
});

/** Every router runs this task, whether or not it accepts payments. */
export function strandedTask(parts: IngestParts, provider: string | null): ScheduledTask {
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

/**
 * A recharge that was never charged can be ended safely. Anything that may have been paid is kept
 * for a day.
 */
function isStranded({ purpose, charge_asked, created }: PaymentRow, now: number): boolean {
  const isUnasked = purpose === 'recharge' && charge_asked === null;
  return isUnasked || now - Number(created) >= ASKED_MS;
}

function whyOf({ provider }: PaymentRow): string {
  return `${provider} is not the configured payment provider any more`;
}
