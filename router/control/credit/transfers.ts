/** Transfers as JSON and as CSV. */
import type { FastifyReply } from 'fastify';
import type { Transfer, TransferEntry } from '../../../shared/api/credit.ts';
import { formatUsd } from '../../../shared/money.ts';
import type { Store } from '../../store/store.ts';
import type { Transfer as StoredTransfer, TransferFilter } from '../../usage/transfers.ts';
import { found, isoInstant, usdOrNull } from '../api.ts';
import { CSV_ROWS, sendPages } from '../csv-file.ts';
import { type ListedTransfer, listTransfersOf, type TransferPage } from './procedures.ts';

/** The most transfers in a CSV file. */
export const TRANSFERS_CSV_MAX = 100_000;

export function shownTransfer(transfer: StoredTransfer): Transfer {
  const { id, seq, kind, change, reference, reason, created } = transfer;
  return {
    id,
    seq: Number(seq),
    kind,
    amount: formatUsd(change),
    reference,
    reason,
    created: isoInstant(created),
  };
}

export function shownToOperator(transfer: ListedTransfer): TransferEntry {
  const { actor, document, balances } = transfer;
  return {
    ...shownTransfer(transfer),
    actor,
    document,
    balance_after: usdOrNull(balances.after),
    day_closing: usdOrNull(balances.closing),
  };
}

/** Customers may see that an operator made a transfer, but not which operator. */
export function shownToCustomer(transfer: ListedTransfer): TransferEntry {
  const shown = shownToOperator(transfer);
  if (shown.actor?.kind !== 'operator') return shown;
  const { id } = shown.actor;
  // The reference of an adjustment is the operator who made it.
  const reference = shown.reference === id ? '' : shown.reference;
  return { ...shown, reference, actor: { kind: 'operator', id: null, name: null } };
}

const CSV_COLUMNS = {
  created: ({ created }) => created,
  kind: ({ kind }) => kind,
  amount: ({ amount }) => amount,
  balance_after: ({ balance_after }) => balance_after,
  day_closing: ({ day_closing }) => day_closing,
  reason: ({ reason }) => reason,
  actor_kind: ({ actor }) => actor?.kind ?? null,
  actor_id: ({ actor }) => actor?.id ?? null,
  actor_name: ({ actor }) => actor?.name ?? null,
  document: ({ document }) => document?.number ?? null,
  reference: ({ reference }) => reference,
  seq: ({ seq }) => seq,
  id: ({ id }) => id,
} as const satisfies Record<string, (entry: TransferEntry) => string | number | null>;

/** Sends the newest transfers of a query as a CSV file. */
export async function sendTransfers(
  reply: FastifyReply,
  store: Pick<Store, 'call'>,
  asked: TransferFilter,
  shown: (transfer: ListedTransfer) => TransferEntry,
): Promise<FastifyReply> {
  const query = { ...asked, limit: CSV_ROWS };
  const first = found(await store.call(listTransfersOf, query), 'organization');
  return sendPages(reply, 'transfers', CSV_COLUMNS, pagesFrom(store, query, first, shown));
}

async function* pagesFrom(
  store: Pick<Store, 'call'>,
  query: TransferFilter,
  first: TransferPage,
  shown: (transfer: ListedTransfer) => TransferEntry,
): AsyncGenerator<TransferEntry[]> {
  let left = TRANSFERS_CSV_MAX;
  for (let page: TransferPage | null = first; page !== null; ) {
    const rows = page.rows.slice(0, left);
    left -= rows.length;
    yield rows.map(shown);
    if (page.next === null || left === 0) return;
    page = await store.call(listTransfersOf, { ...query, before: page.next });
  }
}
