/** Sets, removes and lists rates, built on the ledger's procedures. */
import type { OrganizationId } from '../../../shared/ids.ts';
import { listRates, type Rate, removeRate, setRate } from '../../identity/rates.ts';
import { readProcedure } from '../../store/procedure.ts';
import { organizationExists } from '../organizations/procedures.ts';
import { audited } from '../audit/record.ts';
import { cutPage, type Page } from '../pages.ts';

export const setRateAudited = audited(setRate);
export const removeRateAudited = audited(removeRate);

/** Returns null when there is no such organization. */
export const listRatesOf = readProcedure<
  Readonly<{ organization: OrganizationId; after: string | null; limit: number }>,
  Page<Rate, string> | null
>('listRatesOf', async (db, { organization, after, limit }) => {
  if (!(await organizationExists(db, organization))) return null;
  const rows = await listRates.run(db, { organization, after, limit: limit + 1 });
  return cutPage(rows, limit, ({ model }) => model);
});
