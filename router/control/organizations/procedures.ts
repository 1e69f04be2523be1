/** Organizations as operators read them; the ledger opens and changes them. */
import type { OrganizationId } from '../../../shared/ids.ts';
import {
  changeOrganization,
  insertOrganization,
  type Organization,
  type OrganizationChange,
  organizationOf,
} from '../../ledger/organizations.ts';
import type { Db, Procedure } from '../../store/procedure.ts';
import { audited } from '../audit/record.ts';
import { cutPage, type Page } from '../pages.ts';

export const findOrganization: Procedure<OrganizationId, Organization | null> = {
  name: 'findOrganization',
  access: 'read',
  async run(db, id) {
    const row = await db
      .selectFrom('organizations')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? organizationOf(row) : null;
  },
};

/** Changes an organization, and reads in the same transaction what has become of it. */
export const changeAndRead: Procedure<
  Readonly<{ organization: OrganizationId; change: OrganizationChange }>,
  Organization | 'unknown' | 'would_overdraw'
> = {
  name: 'changeAndRead',
  access: 'write',
  announces: ({ organization }) => organization,
  async run(db, { organization, change }) {
    const answer = await changeOrganization(db, organization, change);
    if (answer !== 'done') return answer;
    return (await findOrganization.run(db, organization)) ?? 'unknown';
  },
};

export const changeAudited = audited(changeAndRead, (answer) => typeof answer === 'object');
export const openAudited = audited(insertOrganization, () => true);

export const listOrganizations: Procedure<
  { after: OrganizationId | null; limit: number },
  Page<Organization, OrganizationId>
> = {
  name: 'listOrganizations',
  access: 'read',
  async run(db, { after, limit }) {
    let query = db
      .selectFrom('organizations')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(limit + 1);
    if (after !== null) query = query.where('id', '<', after);
    const rows = (await query.execute()).map(organizationOf);
    return cutPage(rows, limit, ({ id }) => id);
  },
};

/** For procedures that must not write for an organization that is not there. */
export async function organizationExists(db: Db, id: OrganizationId): Promise<boolean> {
  return (await findOrganization.run(db, id)) !== null;
}
