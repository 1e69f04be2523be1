/** From where on in its ledger an organization is invoiced, and within how many days it pays. */
import type { Db } from '../store/procedure.ts';
import type { AccountRow, OrganizationRow } from '../store/schema/ledger.ts';

const TERMS_DAYS = 30n;

/**
 * For the procedure that changes how an organization is billed, with both rows locked: what was spent while it
 * prepaid stands on no invoice; what it has or owes from then is brought forward.
 */
export async function noteInvoicing(
  db: Db,
  before: Readonly<{ organization: OrganizationRow; account: AccountRow }>,
  termsDays: number | undefined,
): Promise<void> {
  const { organization, account } = before;
  const { transfer_seq: seq, balance } = account;
  const starts = organization.billing !== 'invoiced';
  const terms = termsDays === undefined ? {} : { terms_days: BigInt(termsDays) };
  const changed = { ...terms, ...(starts && { seq, balance }) };
  if (Object.keys(changed).length === 0) return;
  await db
    .insertInto('invoicing')
    .values({
      organization: organization.id,
      terms_days: TERMS_DAYS,
      seq,
      balance,
      month: null,
      ...terms,
    })
    .onConflict((conflict) => conflict.column('organization').doUpdateSet(changed))
    .execute();
}
