/** What requests have cost an organization, by day. */
import type { OrganizationId } from '../../../shared/ids.ts';
import { USAGE_KINDS } from '../../ledger/transfers.ts';
import { readProcedure } from '../../store/procedure.ts';
import { changeOf, readSums } from './days.ts';

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
  const sums = await readSums(db, organization, { from });
  if (!sums) return null;
  const charged = sums.filter(({ kind }) => USAGE_KINDS.includes(kind));
  const days = Map.groupBy(charged, ({ day }) => Number(day));
  return new Map([...days].map(([day, charges]) => [day, -changeOf(charges)]));
});
