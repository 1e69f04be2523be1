/** Finds the invoices that are due: unclosed months, and missing last invoices. */
import { enqueue } from '../../jobs/queue.ts';
import { monthBefore } from '../../store/month.ts';
import { type Db, writeProcedure } from '../../store/procedure.ts';

export const INVOICE = 'invoice';

/** Enqueues invoice jobs. Returns how many were new. */
export const enqueueInvoices = writeProcedure<Readonly<{ now: number; limit: number }>, number>(
  'enqueueInvoices',
  async (db, { now, limit }) => {
    const last = monthBefore(now);
    const unclosed = await db
      .selectFrom('invoicing')
      .innerJoin('organizations', 'organizations.id', 'invoicing.organization')
      .select(['invoicing.organization', 'invoicing.month'])
      .where('organizations.billing', '=', 'invoiced')
      .where((where) =>
        where.or([where('invoicing.month', 'is', null), where('invoicing.month', '<', last)]),
      )
      // The longest waiting first, so that a month that cannot be closed does not block other
      // organizations.
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
);

/** Organizations that prepay again and have no last invoice yet. */
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
