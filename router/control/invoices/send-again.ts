/** Sends the email of an invoice once more, to those who get it now. */
import type { InvoiceRow } from '../../store/schema/invoices.ts';
import { writeProcedure } from '../../store/procedure.ts';
import { lockOrganization } from '../../ledger/locks.ts';
import { audited } from '../audit/record.ts';
import { documentNumber, INVOICES } from '../documents/number.ts';
import { idempotent } from '../idempotency/idempotent.ts';
import { postLetter } from '../mail/letter.ts';
import { readBillingPeople } from '../mail/recipients.ts';
import type { NamedInvoice } from './procedures.ts';

export type SentAgain = Readonly<{
  id: InvoiceRow['id'];
  number: string;
  /** Addresses. */
  recipients: readonly string[];
}>;

/** `void`: the invoice is void. `nobody`: no member of the organization manages its billing. */
type Answer = SentAgain | 'unknown' | 'void' | 'nobody';

/** `sending`: tells this email from the others of the invoice. */
const sendInvoiceAgain = writeProcedure<
  NamedInvoice & Readonly<{ sending: string; created: number }>,
  Answer
>('sendInvoiceAgain', async (db, { organization, invoice: id, sending, created }) => {
  // The invoice cannot be voided meanwhile.
  await lockOrganization(db, organization);
  const invoice = await db
    .selectFrom('invoices')
    .select(['number', 'status'])
    .where('id', '=', id)
    .where('organization', '=', organization)
    .executeTakeFirst();
  if (!invoice) return 'unknown';
  if (invoice.status === 'void') return 'void';
  const people = await readBillingPeople(db, organization);
  if (people.length === 0) return 'nobody';
  const number = documentNumber(INVOICES, invoice.number);
  const letter = { kind: 'invoice', organization, invoice: id, again: number } as const;
  await postLetter(db, letter, { occasion: `${id}/${sending}`, created });
  return { id, number, recipients: people.map(({ email }) => email) };
});

export const sendInvoiceAgainOnce = idempotent(audited(sendInvoiceAgain));
