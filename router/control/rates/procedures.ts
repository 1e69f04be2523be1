/** Rates as operators list them, on the ledger's own procedures. */
import type { OrganizationId } from '../../../shared/ids.ts';
import { listRates, type Rate } from '../../ledger/rates.ts';
import type { Procedure } from '../../store/procedure.ts';
import { organizationExists } from '../organizations/procedures.ts';
import { cutPage, type Page } from '../pages.ts';

/** Null: there is no such organization. */
export const listRatesOf: Procedure<
  Readonly<{ organization: OrganizationId; after: string | null; limit: number }>,
  Page<Rate, string> | null
> = {
  name: 'listRatesOf',
  access: 'read',
  async run(db, { organization, after, limit }) {
    if (!(await organizationExists(db, organization))) return null;
    const rows = await listRates.run(db, { organization, after, limit: limit + 1 });
    return cutPage(rows, limit, ({ model }) => model);
  },
};
