/** Sets, removes and lists rates, built on the ledger's procedures. */
import type { OrganizationId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import { listRates, type Rate, removeRate, setRate } from '../../identity/rates.ts';
import { lockOrganization } from '../../ledger/locks.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { organizationExists } from '../organizations/procedures.ts';
import { audited, type Details } from '../audit/record.ts';
import { cutPage, type Page } from '../pages.ts';

export const setRateAudited = audited(setRate, undefined, rateOf);
export const removeRateAudited = audited(removeRate);

/** The agreed prices that the audit log has of a model, by the names that the API gives them. */
async function rateOf(
  db: Db,
  { organization, model }: Readonly<{ organization: OrganizationId; model: string }>,
): Promise<Details | null> {
  await lockOrganization(db, organization);
  const before = await db
    .selectFrom('rates')
    .innerJoin('prices', 'prices.id', 'rates.price')
    .select(['prices.prompt', 'prices.completion', 'prices.cached'])
    .where('rates.organization', '=', organization)
    .where('rates.model', '=', model)
    .executeTakeFirst();
  return before
    ? {
        prompt: formatUsd(before.prompt),
        completion: formatUsd(before.completion),
        input_cache_read: formatUsd(before.cached),
      }
    : null;
}

/** Returns null when there is no such organization. */
export const listRatesOf = readProcedure<
  Readonly<{ organization: OrganizationId; after: string | null; limit: number }>,
  Page<Rate, string> | null
>('listRatesOf', async (db, { organization, after, limit }) => {
  if (!(await organizationExists(db, organization))) return null;
  const rows = await listRates.run(db, { organization, after, limit: limit + 1 });
  return cutPage(rows, limit, ({ model }) => model);
});
