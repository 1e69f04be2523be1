/** Starts and reads payments. Their results come from the provider (events.ts). */
import type { OrganizationId, PaymentId, PersonId } from '../../../shared/ids.ts';
import { BALANCE_MAX } from '../../ledger/transfers.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { PaymentCustomerRow, PaymentRow, RefundRow } from '../../store/schema/payments.ts';
import { audited } from '../audit/record.ts';
import { cardOf } from '../checkout/cards.ts';
import { currentMembers } from '../members/current.ts';
import { type ListQuery, type Page, readPage } from '../pages.ts';
import { keepCustomer } from './paid.ts';
import { allWithRefunds, type PaymentWithRefunds, withRefunds } from './refund-amounts.ts';

/** How many payments of an organization may be open at once. */
const OPEN_MAX = 50;

export type NewPayment = Readonly<{
  id: PaymentId;
  organization: OrganizationId;
  provider: string;
  purpose: PaymentRow['purpose'];
  amount: bigint | null;
  keepMethod: boolean;
  /** The saved customer and method that a recharge charges; null when a person pays. */
  charged: Readonly<{ customer: string; method: string }> | null;
  person: PersonId | null;
  /** Digest of the Idempotency-Key. */
  idempotencyKey: string | null;
  /** ms since the epoch. */
  created: number;
}>;

const LOOK_AFTER_MS = 60_000n;

/** For procedures: inserts our own payment row, before any request to the provider. */
export async function insertPayment(db: Db, payment: NewPayment): Promise<PaymentRow> {
  const { keepMethod, charged, idempotencyKey, ...columns } = payment;
  const created = milliseconds(payment.created);
  return await db
    .insertInto('payments')
    .values({
      ...columns,
      state: 'open',
      keep_method: keepMethod ? 1n : 0n,
      customer: charged?.customer ?? null,
      method: charged?.method ?? null,
      checkout: null,
      reference: null,
      paid: null,
      refunded: 0n,
      disputed: 0n,
      reason: null,
      transfer: null,
      receipt: null,
      receipt_series: null,
      receipt_number: null,
      seller: null,
      buyer: null,
      idempotency_key: idempotencyKey,
      look_at: created + LOOK_AFTER_MS,
      charge_asked: null,
      asks: 0n,
      created,
      ended: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * What a checkout needs in addition to the payment. `email`: the payer's address or else an
 * org-admin's; '' when there is neither.
 */
export type Opened = Readonly<{
  payment: PaymentWithRefunds;
  isNew: boolean;
  customer: string | null;
  email: string;
}>;

/**
 * `unknown`: there is no such organization. `too_many`: too many payments are open. `over_limit`:
 * the balance would exceed its maximum. `other`: the idempotency key belongs to a different
 * payment.
 */
export type OpenAnswer = Opened | 'unknown' | 'too_many' | 'over_limit' | 'other';

export const openPayment = writeProcedure<NewPayment, OpenAnswer>(
  'openPayment',
  async (db, wanted) => {
    const { organization, provider, person } = wanted;
    const facts = async () => ({
      customer: (await findCustomer(db, organization, provider))?.customer ?? null,
      email: await emailOf(db, organization, person),
    });
    const before = await findByKey(db, wanted);
    if (before) {
      const isSame =
        before.purpose === wanted.purpose &&
        before.amount === wanted.amount &&
        (before.keep_method === 1n) === wanted.keepMethod;
      if (!isSame) return 'other';
      return { payment: await withRefunds(db, before), isNew: false, ...(await facts()) };
    }
    const account = await db
      .selectFrom('accounts')
      .innerJoin('organizations', 'organizations.id', 'accounts.id')
      .select('accounts.balance')
      .where('accounts.id', '=', organization)
      .where('organizations.deleted', 'is', null)
      .executeTakeFirst();
    if (!account) return 'unknown';
    if (account.balance + (wanted.amount ?? 0n) > BALANCE_MAX) return 'over_limit';
    if ((await countOpen(db, organization)) >= OPEN_MAX) return 'too_many';
    const payment = { ...(await insertPayment(db, wanted)), refundPending: 0n, refundFailed: 0n };
    return { payment, isNew: true, ...(await facts()) };
  },
);

export const openPaymentAudited = audited(
  openPayment,
  (answer) => typeof answer === 'object' && answer.isNew,
);

async function findByKey(
  db: Db,
  { organization, idempotencyKey }: NewPayment,
): Promise<PaymentRow | undefined> {
  if (idempotencyKey === null) return undefined;
  return await db
    .selectFrom('payments')
    .selectAll()
    .where('organization', '=', organization)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
}

async function countOpen(db: Db, organization: OrganizationId): Promise<number> {
  const open = await db
    .selectFrom('payments')
    .select('id')
    .where('organization', '=', organization)
    .where('state', '=', 'open')
    .limit(OPEN_MAX)
    .execute();
  return open.length;
}

async function emailOf(
  db: Db,
  organization: OrganizationId,
  person: PersonId | null,
): Promise<string> {
  const members = currentMembers(db, organization)
    .innerJoin('people', 'people.id', 'members.person')
    .select('people.email')
    .orderBy('members.id');
  const own = person && (await members.where('people.id', '=', person).executeTakeFirst());
  const admin = own || (await members.where('role', '=', 'org-admin').executeTakeFirst());
  return admin?.email ?? '';
}

/** Stores the provider's checkout and customer for a payment. */
export const attachCheckout = writeProcedure<
  Readonly<{ payment: PaymentId; checkout: string; customer: string | null }>,
  null
>('attachCheckout', async (db, { payment, checkout, customer }) => {
  const { organization, provider } = await db
    .updateTable('payments')
    .set({ checkout })
    .where('id', '=', payment)
    .returning(['organization', 'provider'])
    .executeTakeFirstOrThrow();
  if (customer !== null) {
    await keepCustomer(db, { organization, provider, customer, method: null });
  }
  return null;
});

export async function findCustomer(
  db: Db,
  organization: OrganizationId,
  provider: string,
): Promise<PaymentCustomerRow | undefined> {
  return await db
    .selectFrom('payment_customers')
    .selectAll()
    .where('organization', '=', organization)
    .where('provider', '=', provider)
    .executeTakeFirst();
}

export const readCustomer = readProcedure<
  Readonly<{ organization: OrganizationId; provider: string }>,
  PaymentCustomerRow | null
>(
  'readCustomer',
  async (db, { organization, provider }) =>
    (await findCustomer(db, organization, provider)) ?? null,
);

/**
 * Finds a payment's provider and reference, for work outside of a request. Throws when there is no
 * such payment.
 */
export const findReference = readProcedure<
  PaymentId,
  Readonly<Pick<PaymentRow, 'provider' | 'reference'>>
>('findReference', (db, payment) =>
  db
    .selectFrom('payments')
    .select(['provider', 'reference'])
    .where('id', '=', payment)
    .executeTakeFirstOrThrow(),
);

export type PaymentQuery = Readonly<{ organization: OrganizationId; payment: PaymentId }>;

/**
 * A payment, its latest refunds, the name of its organization, and what paid it: the test card, or
 * the saved method of a recharge while it is still saved. Null: not known.
 */
export const findPayment = readProcedure<
  PaymentQuery,
  Readonly<{
    payment: PaymentWithRefunds;
    refunds: readonly RefundRow[];
    name: string;
    method: string | null;
  }> | null
>('findPayment', async (db, { organization, payment: id }) => {
  const payment = await db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', id)
    .where('organization', '=', organization)
    .executeTakeFirst();
  if (!payment) return null;
  const refunds = await db
    .selectFrom('refunds')
    .selectAll()
    .where('payment', '=', id)
    .orderBy('id', 'desc')
    .limit(REFUNDS_SHOWN_MAX)
    .execute();
  const { name } = await db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organization)
    .executeTakeFirstOrThrow();
  const method = await methodOf(db, payment);
  return { payment: await withRefunds(db, payment), refunds, name, method };
});

async function methodOf(db: Db, payment: PaymentRow): Promise<string | null> {
  // Other providers tell only the saved method.
  if (payment.provider === 'sandbox') {
    const charge = await db
      .selectFrom('sandbox_charges')
      .select('card')
      .where('payment', '=', payment.id)
      .executeTakeFirst();
    if (charge) return cardOf(charge.card)?.label ?? null;
  }
  if (payment.method === null) return null;
  const saved = await findCustomer(db, payment.organization, payment.provider);
  return saved?.method === payment.method ? saved.method_label : null;
}

/** More refunds than anybody makes of one payment. */
const REFUNDS_SHOWN_MAX = 100;

export const listPayments = readProcedure<
  ListQuery<PaymentId> & Readonly<{ organization: OrganizationId }>,
  Page<PaymentWithRefunds, PaymentId>
>('listPayments', async (db, { organization, ...asked }) => {
  const page = await readPage(
    db.selectFrom('payments').selectAll().where('organization', '=', organization),
    'id',
    asked,
  );
  return { ...page, rows: await allWithRefunds(db, page.rows) };
});
