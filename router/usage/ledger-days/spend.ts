/** What requests have cost an organization, by day. */
import type { OrganizationId } from '../../../shared/ids.ts';
import { USAGE_KINDS } from '../../ledger/transfers.ts';
import { readProcedure } from '../../store/procedure.ts';
import { changeOf, readTail } from './days.ts';

/** In pico-USD by day (UTC, days since 1970), for the days with charges or reversals. */
export type SpendByDay = ReadonlyMap<number, bigint>;

/**
 * Returns the spend of the days from `from` on, without the holds of running requests, or null when
 * there is no such organization. A day on which more was given back than charged is negative.
 */
export const readSpendByDay = readProcedure<
  Readonly<{ organization: OrganizationId; from: number }>,
  SpendByDay | null
>('readSpendByDay', { heavy: true }, async (db, { organization, from }) => {
  const account = await db
    .selectFrom('accounts')
    .select('transfer_seq')
    .where('id', '=', organization)
    .executeTakeFirst();
  if (!account) return null;
  const stored = await db
    .selectFrom('ledger_days')
    .selectAll()
    .where('organization', '=', organization)
    .where('day', '>=', BigInt(from))
    .where('kind', 'in', USAGE_KINDS)
    .execute();
  const tail = await readTail(db, organization, account.transfer_seq);
  const charged = [...stored, ...tail].filter(
    ({ day, kind }) => day >= BigInt(from) && USAGE_KINDS.includes(kind),
  );
  const days = Map.groupBy(charged, ({ day }) => Number(day));
  return new Map([...days].map(([day, sums]) => [day, -changeOf(sums)]));
});
