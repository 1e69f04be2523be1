/** Where transfers come from: who caused each, and the payment or the invoice that it belongs to. */
import type { TransferActor, TransferDocument } from '../../../shared/api/credit.ts';
import type {
  InvoiceId,
  OrganizationId,
  PaymentId,
  PersonId,
  RequestId,
  TransferId,
} from '../../../shared/ids.ts';
import type { Db } from '../../store/procedure.ts';
import type { PaymentRow, RefundRow } from '../../store/schema/payments.ts';
import type { Transfer } from '../../usage/transfers.ts';
import { namesOf } from '../audit/names.ts';
import { documentNumber, INVOICES } from '../documents/number.ts';
import { receiptNumberOf } from '../payments/terms.ts';

/** Null: it is not known, for example because the row of the request was deleted. */
export type Origin = Readonly<{ actor: TransferActor | null; document: TransferDocument | null }>;

type Facts = Readonly<{
  payments: ReadonlyMap<string, PaymentRow>;
  invoices: ReadonlyMap<string, string>;
  refunds: ReadonlyMap<string, RefundRow>;
  keys: ReadonlyMap<string, string>;
  /** Who of those that began the payments belongs to the organization, or did. */
  members: ReadonlySet<string>;
}>;

/** For procedures: the origins of transfers of one organization, in the same order. */
export async function readOrigins(
  db: Db,
  organization: OrganizationId,
  transfers: readonly Transfer[],
): Promise<readonly Origin[]> {
  const facts = await readFacts(db, organization, transfers);
  const origins = transfers.map((transfer) => originOf(transfer, facts));
  const names = await namesOf(
    db,
    origins.flatMap(({ actor }) => actor?.id ?? []),
  );
  return origins.map(({ actor, document }) => ({
    actor: actor && { ...actor, name: names.get(actor.id ?? '')?.name ?? null },
    document,
  }));
}

async function readFacts(
  db: Db,
  organization: OrganizationId,
  transfers: readonly Transfer[],
): Promise<Facts> {
  const references = transfers.map(({ reference }) => reference);
  const refunds = await readRefunds(db, [...transfers.map(({ id }) => id), ...references]);
  const payments = await readPayments(db, [
    ...references,
    ...[...refunds.values()].map(({ payment }) => payment),
  ]);
  return {
    refunds,
    payments,
    invoices: await readInvoices(db, references),
    keys: await readKeys(db, references),
    members: await readMembers(
      db,
      organization,
      [...payments.values()].flatMap(({ person }) => person ?? []),
    ),
  };
}

function originOf({ id, kind, reference }: Transfer, facts: Facts): Origin {
  const { payments, invoices, refunds, keys, members } = facts;
  const refund = refunds.get(id) ?? refunds.get(reference);
  const payment = payments.get(refund?.payment ?? reference);
  const invoice = invoices.get(reference);
  const document: TransferDocument | null = payment
    ? { kind: 'payment', id: payment.id, number: receiptNumberOf(payment) }
    : invoice === undefined
      ? null
      : { kind: 'invoice', id: reference, number: invoice };
  return { actor: actorOf(), document };

  function actorOf(): TransferActor | null {
    switch (kind) {
      case 'welcome':
        return by('system');
      case 'adjustment':
        return by('operator', reference.startsWith('per_') ? reference : null);
      case 'usage':
      case 'reversal':
        return keys.has(reference) ? by('key', keys.get(reference)) : null;
      case 'payment':
        if (invoice !== undefined) return by('operator');
        if (payment === undefined) return null;
        if (payment.purpose === 'recharge') return by('auto-recharge');
        if (payment.person === null) return by('management-token');
        // An operator may begin a payment for an organization of others.
        return by(members.has(payment.person) ? 'person' : 'operator', payment.person);
      case 'refund':
        return refund?.taken_as === 'asked' ? by('operator', refund.person) : by('provider');
      case 'refund_reversal':
      case 'dispute':
      case 'dispute_reversal':
        return by('provider');
      default:
        return null;
    }
  }
}

function by(kind: TransferActor['kind'], id: string | null = null): TransferActor {
  return { kind, id, name: null };
}

function withPrefix<Id extends string>(ids: readonly string[], prefix: string): Id[] {
  return [...new Set(ids)].filter((id): id is Id => id.startsWith(prefix));
}

async function readPayments(db: Db, ids: readonly string[]) {
  const wanted = withPrefix<PaymentId>(ids, 'pay_');
  if (wanted.length === 0) return new Map<string, PaymentRow>();
  const rows = await db.selectFrom('payments').selectAll().where('id', 'in', wanted).execute();
  return new Map<string, PaymentRow>(rows.map((row) => [row.id, row]));
}

async function readRefunds(db: Db, ids: readonly string[]) {
  const wanted = withPrefix<TransferId>(ids, 'trf_');
  if (wanted.length === 0) return new Map<string, RefundRow>();
  const rows = await db.selectFrom('refunds').selectAll().where('id', 'in', wanted).execute();
  return new Map<string, RefundRow>(rows.map((row) => [row.id, row]));
}

async function readInvoices(db: Db, ids: readonly string[]) {
  const wanted = withPrefix<InvoiceId>(ids, 'ivc_');
  if (wanted.length === 0) return new Map<string, string>();
  const rows = await db
    .selectFrom('invoices')
    .select(['id', 'number'])
    .where('id', 'in', wanted)
    .execute();
  return new Map<string, string>(
    rows.map(({ id, number }) => [id, documentNumber(INVOICES, number)]),
  );
}

/** The key of each request. */
async function readKeys(db: Db, ids: readonly string[]) {
  const wanted = withPrefix<RequestId>(ids, 'req_');
  if (wanted.length === 0) return new Map<string, string>();
  const rows = await db
    .selectFrom('usage')
    .select(['request', 'key'])
    .where('request', 'in', wanted)
    .execute();
  return new Map<string, string>(rows.map(({ request, key }) => [request, key]));
}

async function readMembers(db: Db, organization: OrganizationId, people: readonly PersonId[]) {
  if (people.length === 0) return new Set<string>();
  const rows = await db
    .selectFrom('members')
    .select('person')
    .where('organization', '=', organization)
    .where('person', 'in', [...new Set(people)])
    .execute();
  return new Set<string>(rows.map(({ person }) => person));
}
