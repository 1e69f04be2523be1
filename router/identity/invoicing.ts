/**
 * Records over which transfers an organization is invoiced (a stretch), and in how many days it
 * must pay. Invoices cover each stretch without a gap. When the organization prepays again, a last
 * invoice is issued for the rest of the stretch.
 */
import type { OrganizationId } from '../../shared/ids.ts';
import type { Db } from '../store/procedure.ts';
import type { AccountRow, OrganizationRow } from '../store/schema/ledger.ts';

const TERMS_DAYS = 30n;

type Billed = Readonly<{ organization: OrganizationRow; account: AccountRow }>;

/**
 * Starts invoicing, or changes its terms, within a procedure that has locked both rows. No invoice
 * covers what was spent while the organization prepaid; its balance at the start is brought
 * forward.
 */
export async function noteInvoicing(
  db: Db,
  { organization, account }: Billed,
  termsDays: number | undefined,
): Promise<void> {
  const starts = organization.billing !== 'invoiced' && !(await resume(db, organization.id));
  const { transfer_seq: seq, balance } = account;
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
      billed_to: null,
      ...terms,
    })
    .onConflict((conflict) => conflict.column('organization').doUpdateSet(changed))
    .execute();
  if (!starts) return;
  await db
    .insertInto('invoicing_stretches')
    .values({ organization: organization.id, from_seq: seq + 1n, to_seq: null })
    .execute();
}

/**
 * Reopens the previous stretch if its last invoice has not been issued yet. That invoice then also
 * covers what was prepaid in between, less the credit that paid for it. Returns false if there is
 * no such stretch.
 */
async function resume(db: Db, organization: OrganizationId): Promise<boolean> {
  const invoicing = await db
    .selectFrom('invoicing')
    .select('seq')
    .where('organization', '=', organization)
    .executeTakeFirst();
  if (!invoicing) return false;
  const resumed = await db
    .updateTable('invoicing_stretches')
    .set({ to_seq: null })
    .where('organization', '=', organization)
    .where('to_seq', '>', invoicing.seq)
    .returning('from_seq')
    .executeTakeFirst();
  return resumed !== undefined;
}

/** Ends invoicing, within a procedure that has locked both rows: the last invoice is due. */
export async function endInvoicing(db: Db, { organization, account }: Billed): Promise<void> {
  if (organization.billing !== 'invoiced') return;
  const open = await db
    .selectFrom('invoicing_stretches')
    .select('from_seq')
    .where('organization', '=', organization.id)
    .where('to_seq', 'is', null)
    .executeTakeFirst();
  if (!open) return;
  const { transfer_seq: to_seq } = account;
  const stretch = { organization: organization.id, from_seq: open.from_seq };
  if (to_seq < open.from_seq) {
    // The stretch has no transfers.
    await db
      .deleteFrom('invoicing_stretches')
      .where('organization', '=', stretch.organization)
      .where('from_seq', '=', stretch.from_seq)
      .execute();
    return;
  }
  await db
    .updateTable('invoicing_stretches')
    .set({ to_seq })
    .where('organization', '=', stretch.organization)
    .where('from_seq', '=', stretch.from_seq)
    .execute();
}

/**
 * For the procedure that deletes an organization, once its invoicing has ended. If a last invoice is
 * not issued yet, keeps the organization's name for it, and returns true.
 */
export async function keepNameForLastInvoice(
  db: Db,
  { id, name }: Pick<OrganizationRow, 'id' | 'name'>,
): Promise<boolean> {
  const kept = await db
    .updateTable('invoicing')
    .set({ billed_to: name })
    .where('organization', '=', id)
    .where('seq', '<', (query) =>
      query
        .selectFrom('invoicing_stretches')
        .select((row) => row.fn.max('to_seq').as('last'))
        .where('organization', '=', id),
    )
    .executeTakeFirst();
  return kept.numUpdatedRows > 0n;
}
