/** The platform for operators: all organizations, all people, money by day, and alarms. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Invoice, InvoiceDetail, InvoiceTotals } from '../../../shared/api/invoices.ts';
import type { Lookup } from '../../../shared/api/lookup.ts';
import type { OrganizationEntry } from '../../../shared/api/organizations.ts';
import type { CustomerPayment } from '../../../shared/api/payments.ts';
import type { PersonDetail, PersonEntry } from '../../../shared/api/people.ts';
import type {
  LatestAlarms,
  PlatformFailure,
  PlatformReliability,
  PlatformStatus,
  PlatformSummary,
  RecordedAlarm,
} from '../../../shared/api/platform.ts';
import type { z } from 'zod';
import type {
  InvoicesSearch,
  OrganizationsSearch,
  PaymentsSearch,
  PeopleSearch,
} from '../operator-search.ts';
import { get, type Page, pathOf } from './client.ts';
import { listQuery } from './lists.ts';

/** The earlier results stay visible while the next search is loading. */
export const organizationsQuery = (search: OrganizationsSearch) => ({
  ...listQuery<OrganizationEntry>(['platform', 'organizations'], '/organizations', search),
  placeholderData: keepPreviousData,
});

/** All organizations that match, as a CSV, newest first. */
export function organizationsCsv(search: OrganizationsSearch): string {
  return pathOf('/organizations', {
    ...search,
    sort: undefined,
    order: undefined,
    format: 'csv',
  });
}

export const peopleQuery = (search: string, others: Omit<PeopleSearch, 'search'> = {}) => ({
  ...listQuery<PersonEntry>(['platform', 'people'], '/people', { ...others, search }),
  placeholderData: keepPreviousData,
});

/** All people who match, as a CSV, in the order of the list. */
export function peopleCsv(search: PeopleSearch): string {
  return pathOf('/people', { ...search, format: 'csv' });
}

/** How many organizations or people a search for one of them offers. */
const OFFERED = 8;

export const offeredOrganizationsQuery = (search: string) =>
  queryOptions({
    queryKey: ['platform', 'organizations', 'offered', search],
    queryFn: ({ signal }) =>
      get<Page<OrganizationEntry>>('/organizations', { search, limit: OFFERED }, signal),
  });

export const offeredPeopleQuery = (search: string) =>
  queryOptions({
    queryKey: ['platform', 'people', 'offered', search],
    queryFn: ({ signal }) => get<Page<PersonEntry>>('/people', { search, limit: OFFERED }, signal),
  });

export const allInvoicesQuery = (search: InvoicesSearch) => ({
  ...listQuery<Invoice>(INVOICES_KEY, '/invoices', search),
  placeholderData: keepPreviousData,
});

/** Refetched with the list, whose key begins like this one. */
export const invoiceTotalsQuery = queryOptions({
  queryKey: ['platform', 'invoices', 'totals'],
  queryFn: ({ signal }) => get<InvoiceTotals>('/invoices/totals', {}, signal),
});

export const INVOICES_KEY: readonly unknown[] = ['platform', 'invoices'];

/** An invoice of any organization, by its id alone. Null if there is none. */
export const invoiceQuery = (invoice: string) =>
  queryOptions({
    queryKey: [...INVOICES_KEY, invoice],
    queryFn: async ({ signal }) => {
      const { found } = await get<z.infer<typeof Lookup>>('/lookup', { id: invoice }, signal);
      if (found?.kind !== 'invoice') return null;
      const path = `/organizations/${found.organization_id}/invoices/${found.id}`;
      return await get<InvoiceDetail>(path, {}, signal);
    },
  });

/** The same invoices as a CSV file. */
export function allInvoicesCsv(search: InvoicesSearch): string {
  return pathOf('/invoices', { ...search, format: 'csv' });
}

/** As the API takes them: a month is the time from its start to that of the next one (UTC). */
function askedPayments({ month, ...search }: PaymentsSearch) {
  if (month === undefined) return search;
  const from = new Date(`${month}-01T00:00:00Z`);
  const until = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
  return { ...search, from: from.toISOString(), until: until.toISOString() };
}

export const allPaymentsQuery = (search: PaymentsSearch) => ({
  ...listQuery<CustomerPayment>(['platform', 'payments'], '/payments', askedPayments(search)),
  placeholderData: keepPreviousData,
});

/** The same payments as a CSV file. */
export function allPaymentsCsv(search: PaymentsSearch): string {
  return pathOf('/payments', { ...askedPayments(search), format: 'csv' });
}

export const personQuery = (person: string) =>
  queryOptions({
    queryKey: ['platform', 'people', person],
    queryFn: ({ signal }) => get<PersonDetail>(`/people/${person}`, {}, signal),
  });

export const platformSummaryQuery = queryOptions({
  queryKey: ['platform', 'summary'],
  queryFn: ({ signal }) => get<PlatformSummary>('/platform/summary', {}, signal),
  staleTime: 30_000,
  refetchInterval: 60_000,
});

/** Routers write their history once a minute. */
export const platformReliabilityQuery = queryOptions({
  queryKey: ['platform', 'reliability'],
  queryFn: ({ signal }) => get<PlatformReliability>('/platform/reliability', {}, signal),
  staleTime: 30_000,
  refetchInterval: 60_000,
});

const ALARMS_KEY: readonly unknown[] = ['platform', 'alarms'];

/** As many as a page of the API has. Of more, the latest are marked. */
const ALARMS = 1_000;

/** The alarms that were active in a time. */
export const alarmsQuery = (time: Readonly<{ from: string; until: string | undefined }>) =>
  queryOptions({
    queryKey: [...ALARMS_KEY, time],
    queryFn: ({ signal }) =>
      get<Page<RecordedAlarm>>('/platform/alarms', { limit: ALARMS, ...time }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });

/** Of each kind, the alarm that was active last. */
export const latestAlarmsQuery = queryOptions({
  queryKey: [...ALARMS_KEY, 'latest'],
  queryFn: ({ signal }) => get<LatestAlarms>('/platform/alarms/latest', {}, signal),
  refetchInterval: 60_000,
});

const LISTED_ALARMS = 5;

/** All alarms that are kept, page by page. */
export const alarmListQuery = {
  ...listQuery<RecordedAlarm>(ALARMS_KEY, '/platform/alarms', { limit: LISTED_ALARMS }),
  refetchInterval: 60_000,
};

const FAILURES = 5;

/** The requests of all organizations that failed. */
export const platformFailuresQuery = {
  ...listQuery<PlatformFailure>(['platform', 'failures'], '/platform/failures', {
    limit: FAILURES,
  }),
  refetchInterval: 60_000,
};

/** The last one of a host is found if it is among them. */
export const lastFailuresQuery = queryOptions({
  queryKey: ['platform', 'failures', 'last'],
  queryFn: ({ signal }) => get<Page<PlatformFailure>>('/platform/failures', { limit: 100 }, signal),
  refetchInterval: 60_000,
});

export const platformStatusQuery = queryOptions({
  queryKey: ['platform', 'status'],
  queryFn: ({ signal }) => get<PlatformStatus>('/platform/status', {}, signal),
  refetchInterval: 10_000,
});
