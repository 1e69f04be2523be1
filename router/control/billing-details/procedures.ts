/** Reads and sets the buyer's details on the organization's receipts and invoices. */
import type { BillingDetails } from '../../../shared/api/billing-details.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { lockLiveOrganization } from '../../identity/organizations.ts';
import { readProcedure, writeProcedure } from '../../store/procedure.ts';
import { audited, type Details } from '../audit/record.ts';
import { billingDetailsOf } from '../documents/parties.ts';
import { organizationExists } from '../organizations/procedures.ts';

/** Returns null when there is no such organization. */
export const readBillingDetails = readProcedure<OrganizationId, BillingDetails | null>(
  'readBillingDetails',
  async (db, organization) =>
    (await organizationExists(db, organization)) ? await billingDetailsOf(db, organization) : null,
);

export const setBillingDetails = writeProcedure<
  Readonly<{ organization: OrganizationId; details: BillingDetails }>,
  BillingDetails | 'unknown'
>('setBillingDetails', async (db, { organization, details }) => {
  if (!(await lockLiveOrganization(db, organization))) return 'unknown';
  await db
    .insertInto('billing_details')
    .values({ organization, ...details })
    .onConflict((conflict) => conflict.column('organization').doUpdateSet(details))
    .execute();
  return details;
});

export const setBillingDetailsAudited = audited(
  setBillingDetails,
  undefined,
  async (db, { organization }) => {
    if (!(await lockLiveOrganization(db, organization))) return null;
    return auditDetails(await billingDetailsOf(db, organization));
  },
);

/** An entry of the audit log has no line breaks. */
export function auditDetails({ name, address, tax_id }: BillingDetails): Details {
  return {
    name: name || null,
    address: address.replaceAll('\n', ', ') || null,
    tax_id: tax_id || null,
  };
}
