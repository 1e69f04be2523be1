/**
 * Invoices at the turn of a month (UTC), and as soon as an organization prepays again. A round finds whose month is
 * not closed, or whose last invoice is missing, and puts a job there; the job adds up and issues the invoice. What
 * could not be closed is begun again the next day.
 */
import { z } from 'zod';
import { OrganizationIdText } from '../../../shared/api/ids.ts';
import type { Clock } from '../../../shared/clock.ts';
import { mintId, type OrganizationId } from '../../../shared/ids.ts';
import type { Random } from '../../../shared/random.ts';
import { enqueue } from '../../ledger/jobs.ts';
import type { Db, Procedure } from '../../store/procedure.ts';
import type { Store } from '../../store/store.ts';
import type { JobHandler } from '../jobs/runner.ts';
import type { Round } from '../jobs/rounds.ts';
import { issueInvoice, type NewInvoice } from './issue.ts';
import { monthBefore } from './month.ts';
import { addUp, findLastSpan, findSpan, type LineSum, sumInvoiceSlice } from './span.ts';

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

/** `last`: all that is left of an organization that prepays again. */
const Payload = z.object({
  organization: OrganizationIdText,
  month: z.union([z.literal('last'), z.coerce.bigint()]),
});

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
    const monthly = unclosed.map(({ organization, month }) => {
      const wanted = String(month === null ? last : month + 1n);
      return { organization, month: wanted, about: wanted };
    });
    const day = new Date(now).toISOString().slice(0, 10);
    let begun = 0;
    for (const { organization, month, about } of [...monthly, ...(await findEnded(db, limit))]) {
      const answer = await enqueue(db, {
        kind: INVOICE,
        subject: organization,
        idempotencyKey: `${INVOICE}/${organization}/${about}/${day}`,
        payload: { organization, month },
        created: now,
      });
      if (answer === 'enqueued') begun++;
    }
    return begun;
  },
};

/** Those that prepay again, and have no last invoice yet. */
async function findEnded(db: Db, limit: number) {
  const ended = await db
    .selectFrom('invoicing_stretches as s')
    .innerJoin('invoicing as i', 'i.organization', 's.organization')
    .select(['s.organization', 's.to_seq'])
    .whereRef('s.to_seq', '>', 'i.seq')
    .orderBy('s.organization')
    .limit(limit)
    .execute();
  return ended.map(({ organization, to_seq }) => {
    return { organization, month: 'last', about: `last/${to_seq}` };
  });
}

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
    if (month === 'last') await closeStretch(parts, organization);
    else await closeMonth(parts, organization, month);
  };
}

/** Closes the months that are over, and then what is left. Asked again, it does nothing. */
async function closeStretch(parts: MonthlyParts, organization: OrganizationId): Promise<void> {
  const { store } = parts;
  for (const month of (await store.call(findLastSpan, { organization }))?.unclosed ?? []) {
    await closeMonth(parts, organization, month);
  }
  const left = await store.call(findLastSpan, { organization });
  if (left === null) return;
  const { span, month } = left;
  await close(parts, { organization, month, closes: 'stretch', span });
}

/** Closes a month, with an invoice where something was charged in it. Asked again, it does nothing. */
export async function closeMonth(
  parts: MonthlyParts,
  organization: OrganizationId,
  month: bigint,
): Promise<'issued' | 'nothing' | 'closed' | 'not_over'> {
  // By the store's time, whoever put the job there and by whatever clock.
  if (month > monthBefore(parts.clock.now())) return 'not_over';
  const span = await parts.store.call(findSpan, { organization, month });
  if (!span) return 'closed';
  return await close(parts, { organization, month, closes: 'month', span });
}

async function close(
  { store, clock, random }: MonthlyParts,
  wanted: Pick<NewInvoice, 'organization' | 'month' | 'closes' | 'span'>,
): Promise<'issued' | 'nothing' | 'closed'> {
  const { organization, span } = wanted;
  let sums: LineSum[] = [];
  for (let from = span.from; from <= span.to; from += SLICE_TRANSFERS) {
    const end = from + SLICE_TRANSFERS - 1n;
    const to = end < span.to ? end : span.to;
    sums = addUp([...sums, ...(await store.call(sumInvoiceSlice, { organization, from, to }))]);
  }
  return await store.call(issueInvoice, {
    id: mintId('invoice', clock, random),
    audit: mintId('audit', clock, random),
    ...wanted,
    sums,
    created: clock.now(),
  });
}
