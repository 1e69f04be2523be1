/** Payments, transfers and invoices of an organization. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { Budget } from '../../../shared/api/budgets.ts';
import type { BillingDetails } from '../../../shared/api/billing-details.ts';
import type {
  LedgerDay,
  TRANSFER_KINDS,
  TransferEntry,
  TransferQuery,
} from '../../../shared/api/credit.ts';
import type { Invoice, NextInvoice } from '../../../shared/api/invoices.ts';
import type { Statement } from '../../../shared/api/statements.ts';
import type { Payment, PaymentDetail } from '../../../shared/api/payments.ts';
import { get, type Page, pathOf } from './client.ts';
import { listQuery } from './lists.ts';
import { ofOrganization } from './organization.ts';

const ROWS = 20;
/** A month of the ledger by day. */
const LEDGER_DAYS = 31;

function list<Item>(organization: string, name: string, limit: number) {
  const path = `/organizations/${organization}/${name}`;
  return listQuery<Item>(ofOrganization(organization, name), path, { limit });
}

/** `limit` is the number of rows in a page of the list. */
export const paymentsQuery = (organization: string, limit = ROWS) =>
  list<Payment>(organization, 'payments', limit);

export type TransferCause = z.output<typeof TransferQuery>['cause'];

export type TransferKind = (typeof TRANSFER_KINDS)[number];

const transfersPath = (organization: string) => `/organizations/${organization}/transfers`;

/** The earlier rows stay visible while those of other kinds are loading. */
export const transfersQuery = (organization: string, kind: readonly TransferKind[]) => ({
  ...listQuery<TransferEntry>(
    ofOrganization(organization, 'transfers'),
    transfersPath(organization),
    { limit: ROWS, kind },
  ),
  placeholderData: keepPreviousData,
});

/** Transfers of these kinds, or all of them, as a CSV file. */
export function transfersCsv(organization: string, kind?: readonly TransferKind[]): string {
  return pathOf(transfersPath(organization), { kind, format: 'csv' });
}

/** The same days as `ledgerQuery` as a CSV file. */
export function ledgerCsv(organization: string): string {
  return pathOf(`/organizations/${organization}/ledger`, { format: 'csv' });
}

/** The days (UTC) with transfers, newest first. */
export const ledgerQuery = (organization: string) =>
  list<LedgerDay>(organization, 'ledger', LEDGER_DAYS);

/** The days of one month, of which there are never more. */
export const ledgerMonthQuery = (
  organization: string,
  bounds: Readonly<{ start: string; end: string }>,
) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'ledger', bounds.start),
    queryFn: ({ signal }) => {
      const query = { ...bounds, limit: LEDGER_DAYS };
      return get<Page<LedgerDay>>(`/organizations/${organization}/ledger`, query, signal);
    },
  });

/** The transfers of one day. */
export const transfersOfDayQuery = (organization: string, day: string, cause: TransferCause) =>
  listQuery<TransferEntry>(ofOrganization(organization, 'transfers'), transfersPath(organization), {
    limit: ROWS,
    cause,
    day,
  });

export function statementPath(organization: string, month: string): string {
  return `/organizations/${organization}/statements/${month}`;
}

/** `month`: a calendar month (UTC), such as `2026-11`. */
export const statementQuery = (organization: string, month: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'statement', month),
    queryFn: ({ signal }) => get<Statement>(statementPath(organization, month), {}, signal),
  });

export const invoicesQuery = (organization: string, limit = ROWS) =>
  list<Invoice>(organization, 'invoices', limit);

/** It is read again with the list of invoices: both keys begin with `invoices`. */
export const nextInvoiceQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'invoices', 'next'),
    queryFn: ({ signal }) =>
      get<NextInvoice>(`/organizations/${organization}/invoices/next`, {}, signal),
    // It sums up to 100,000 transfers.
    staleTime: 60_000,
  });

export const billingDetailsQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'billing-details'),
    queryFn: ({ signal }) =>
      get<BillingDetails>(`/organizations/${organization}/billing-details`, {}, signal),
  });

export const budgetQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'budget'),
    queryFn: ({ signal }) => get<Budget>(`/organizations/${organization}/budget`, {}, signal),
  });

export const paymentQuery = (organization: string, payment: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'payment', payment),
    queryFn: ({ signal }) =>
      get<z.infer<typeof PaymentDetail>>(
        `/organizations/${organization}/payments/${encodeURIComponent(payment)}`,
        {},
        signal,
      ),
  });
