/**
 * The two parties of a document. Those of receipts and invoices are frozen when these are issued: a
 * change of the configuration or of the organization's details changes no document from before.
 */
import type { z } from 'zod';
import type { BillingDetails, Party, Seller } from '../../../shared/api/billing-details.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';

const NOTHING: BillingDetails = { name: '', address: '', tax_id: '' };

export type ConfiguredSeller = z.infer<typeof Seller> &
  Readonly<{
    /** In which its receipts are numbered. */
    series: string;
    /** How its open invoices are paid, line by line; may be empty. */
    payment_instructions: string;
  }>;

/**
 * Whether payments are taken for real although no seller is configured. Receipts then name only the
 * service.
 */
export function isSellerMissing(of: {
  readonly provider: Readonly<{ name: string }> | null;
  readonly seller: ConfiguredSeller | null;
}): boolean {
  return of.seller === null && of.provider !== null && of.provider.name !== 'sandbox';
}

/** As a row of a receipt or an invoice has them. */
export type FrozenParties = Readonly<{ seller: string | null; buyer: string }>;

/**
 * For procedures: the parties of a document that is issued now. `name`: what the organization is
 * called if its details do not say otherwise.
 */
export async function freezeParties(
  db: Db,
  of: Readonly<{ organization: OrganizationId; name: string; seller: ConfiguredSeller | null }>,
): Promise<FrozenParties> {
  const buyer = await buyerOf(db, of.organization, of.name);
  const seller = of.seller && sellerIn(of.seller);
  return { seller: seller && JSON.stringify(seller), buyer: JSON.stringify(buyer) };
}

/** For procedures: the buyer as the details are now. `name`: if they have none. */
export async function buyerOf(db: Db, organization: OrganizationId, name: string): Promise<Party> {
  const details = await billingDetailsOf(db, organization);
  return { ...details, name: details.name || name };
}

/** For procedures: the details that an organization has set, empty where it has set none. */
export async function billingDetailsOf(
  db: Db,
  organization: OrganizationId,
): Promise<BillingDetails> {
  const row = await db
    .selectFrom('billing_details')
    .select(['name', 'address', 'tax_id'])
    .where('organization', '=', organization)
    .executeTakeFirst();
  return row ?? NOTHING;
}

/** For procedures: deletes the details of a deleted organization, of which no document is due. */
export async function deleteBillingDetails(db: Db, organization: OrganizationId): Promise<void> {
  await db.deleteFrom('billing_details').where('organization', '=', organization).execute();
}

/** The seller as documents name it. */
export function sellerIn({
  name,
  address,
  tax_id,
  note,
}: ConfiguredSeller): z.infer<typeof Seller> {
  return { name, address, tax_id, note };
}

/** Reads frozen parties. Documents of earlier versions have none: `name` is then the buyer. */
export function partiesOf(
  { seller, buyer }: Readonly<{ seller: string | null; buyer: string | null }>,
  name: string,
): { seller: z.infer<typeof Seller> | null; buyer: Party } {
  return {
    // `freezeParties` has written both.
    seller: seller === null ? null : (JSON.parse(seller) as z.infer<typeof Seller>),
    buyer: buyer === null ? { ...NOTHING, name } : (JSON.parse(buyer) as Party),
  };
}
