/**
 * Invoices at the turn of a month (UTC). A round finds whose month is not closed and puts a job there; the job adds
 * the month up and issues the invoice. A month that could not be closed is begun again the next day.
 */
import { z } from 'zod';
import { OrganizationIdText } from '../../../shared/api/ids.ts';
import type { Clock } from '../../../shared/clock.ts';
import { mintId, type OrganizationId } from '../../../shared/ids.ts';
import type { Random } from '../../../shared/random.ts';
import { enqueue } from '../../ledger/jobs.ts';
import type { Procedure } from '../../store/procedure.ts';
import type { Store } from '../../store/store.ts';
import type { JobHandler } from '../jobs/runner.ts';
import type { Round } from '../jobs/rounds.ts';
import { issueInvoice } from './issue.ts';
import { monthBefore } from './month.ts';
import { addUp, findSpan, type LineSum, sumInvoiceSlice } from './span.ts';

export const INVOICE = 'invoice';
const ROUND_EVERY_MS = 60_000;
/** As many as one round begins. */
const AT_ONCE_MAX = 100;
const SLICE_TRANSFERS = 2_000n;

export type MonthlyParts = Readonly<{
  store: Pick<Store, 'call'>;
  clock: Clock;
  random: Random;
}>;

const Payload = z.object({ organization: OrganizationIdText, month: z.coerce.bigint() });

/** Answers how many jobs it has put there. */
export const enqueueInvoices: Procedure<Readonly<{ now: number; limit: number }>, number> = {
  name: 'enqueueInvoices',
  access: 'write',
  async run(db, { now, limit }) {
    const last = monthBefore(now);
    const unclosed = await db
      .selectFrom('invoicing')
      .innerJoin('organizations', 'organizations.id', 'invoicing.organization')
      .select(['invoicing.organization', 'invoicing.month'])
      .where('organizations.billing', '=', 'invoiced')
      .where((where) =>
        where.or([where('invoicing.month', 'is', null), where('invoicing.month', '<', last)]),
      )
      // Those that have waited longest, so that none that cannot be closed keeps others from it.
      .orderBy('invoicing.month', (order) => order.asc().nullsFirst())
      .orderBy('invoicing.organization')
      .limit(limit)
      .execute();
    const day = new Date(now).toISOString().slice(0, 10);
    let begun = 0;
    for (const { organization, month } of unclosed) {
      const wanted = month === null ? last : month + 1n;
      const answer = await enqueue(db, {
        kind: INVOICE,
        subject: organization,
        idempotencyKey: `${INVOICE}/${organization}/${wanted}/${day}`,
        payload: { organization, month: String(wanted) },
        created: now,
      });
      if (answer === 'enqueued') begun++;
    }
    return begun;
  },
};

export function invoiceRound({ store, clock }: MonthlyParts): Round {
  return {
    name: INVOICE,
    everyMs: ROUND_EVERY_MS,
    async run() {
      await store.call(enqueueInvoices, { now: clock.now(), limit: AT_ONCE_MAX });
    },
  };
}

export function invoiceJob(parts: MonthlyParts): JobHandler {
  return async ({ payload }) => {
    const { organization, month } = Payload.parse(payload);
    await closeMonth(parts, organization, month);
  };
}

/** Closes a month, with an invoice where something was charged in it. Asked again, it does nothing. */
export async function closeMonth(
  { store, clock, random }: MonthlyParts,
  organization: OrganizationId,
  month: bigint,
): Promise<'issued' | 'nothing' | 'closed' | 'not_over'> {
  // By the store's time, whoever put the job there and by whatever clock.
  if (month > monthBefore(clock.now())) return 'not_over';
  const span = await store.call(findSpan, { organization, month });
  if (!span) return 'closed';
  let sums: LineSum[] = [];
  for (let from = span.from; from <= span.to; from += SLICE_TRANSFERS) {
    const end = from + SLICE_TRANSFERS - 1n;
    const to = end < span.to ? end : span.to;
    sums = addUp([...sums, ...(await store.call(sumInvoiceSlice, { organization, from, to }))]);
  }
  return await store.call(issueInvoice, {
    id: mintId('invoice', clock, random),
    audit: mintId('audit', clock, random),
    organization,
    month,
    span,
    sums,
    created: clock.now(),
  });
}
