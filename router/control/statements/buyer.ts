import type { Party } from '../../../shared/api/billing-details.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { readProcedure } from '../../store/procedure.ts';
import { buyerOf } from '../documents/parties.ts';

/** The buyer on a statement, as the details are now. Null when there is no such organization. */
export const readBuyer = readProcedure<OrganizationId, Party | null>(
  'readBuyer',
  async (db, organization) => {
    const named = await db
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', organization)
      .executeTakeFirst();
    return named ? await buyerOf(db, organization, named.name) : null;
  },
);
