/** Finds what an id or a number names: one read by a unique index for each kind. */
import type { Found } from '../../../shared/api/lookup.ts';
import type { InvoiceId, KeyId, OrganizationId, PaymentId } from '../../../shared/ids.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { documentNumber, documentNumberIn, INVOICES } from '../documents/number.ts';
import { organizationExists } from '../organizations/procedures.ts';
import { receiptNumberOf } from '../payments/terms.ts';

/** `organization`: null for an operator, who finds what any organization has, and jobs. */
export type LookupOf = Readonly<{ id: string; organization: OrganizationId | null }>;

/** Returns null when there is no such organization. */
export const lookUp = readProcedure<LookupOf, Readonly<{ found: Found | null }> | null>(
  'lookUp',
  async (db, ask) => {
    const { organization } = ask;
    if (organization !== null && !(await organizationExists(db, organization))) return null;
    return { found: await find(db, ask) };
  },
);

async function find(db: Db, { id, organization }: LookupOf): Promise<Found | null> {
  if (id.startsWith('key_')) return await findKey(db, id as KeyId, organization);
  if (id.startsWith('pay_')) return await findPayment(db, { id: id as PaymentId }, organization);
  if (id.startsWith('ivc_')) return await findInvoice(db, { id: id as InvoiceId }, organization);
  if (id.startsWith('job_')) return organization === null ? await findJob(db, id) : null;
  const document = documentNumberIn(id);
  if (document === null) return null;
  const { series, number } = document;
  return series === INVOICES
    ? await findInvoice(db, { number }, organization)
    : await findPayment(db, { series, number }, organization);
}

async function findKey(
  db: Db,
  id: KeyId,
  organization: OrganizationId | null,
): Promise<Found | null> {
  let query = db.selectFrom('keys').select(['name', 'organization', 'source']).where('id', '=', id);
  if (organization !== null) query = query.where('organization', '=', organization);
  const row = await query.executeTakeFirst();
  // The keys of the playground's sessions have no pages.
  if (!row || row.source === 'playground') return null;
  const { name, organization: organization_id } = row;
  return { kind: 'key', id, name, organization_id, state: null };
}

type PaymentBy = Readonly<{ id: PaymentId }> | Readonly<{ series: string; number: bigint }>;

async function findPayment(
  db: Db,
  by: PaymentBy,
  organization: OrganizationId | null,
): Promise<Found | null> {
  let query = db
    .selectFrom('payments')
    .select(['id', 'organization', 'receipt', 'receipt_series', 'receipt_number']);
  query =
    'id' in by
      ? query.where('id', '=', by.id)
      : query.where('receipt_series', '=', by.series).where('receipt_number', '=', by.number);
  if (organization !== null) query = query.where('organization', '=', organization);
  const row = await query.executeTakeFirst();
  if (!row) return null;
  const { id, organization: organization_id } = row;
  return { kind: 'payment', id, name: receiptNumberOf(row) ?? id, organization_id, state: null };
}

async function findInvoice(
  db: Db,
  by: Readonly<{ id: InvoiceId }> | Readonly<{ number: bigint }>,
  organization: OrganizationId | null,
): Promise<Found | null> {
  let query = db.selectFrom('invoices').select(['id', 'organization', 'number']);
  query = 'id' in by ? query.where('id', '=', by.id) : query.where('number', '=', by.number);
  if (organization !== null) query = query.where('organization', '=', organization);
  const row = await query.executeTakeFirst();
  if (!row) return null;
  const { id, number, organization: organization_id } = row;
  const name = documentNumber(INVOICES, number);
  return { kind: 'invoice', id, name, organization_id, state: null };
}

async function findJob(db: Db, id: string): Promise<Found | null> {
  const row = await db
    .selectFrom('jobs')
    .select(['kind', 'state'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? { kind: 'job', id, name: row.kind, organization_id: null, state: row.state } : null;
}
