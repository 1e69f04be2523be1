/** The audit log of an organization, and of the whole platform for operators. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { AuditEntry } from '../../../shared/api/audit.ts';
import type { Invoice } from '../../../shared/api/invoices.ts';
import { get, type Page, pathOf } from './client.ts';
import { listQuery } from './lists.ts';
import { ofOrganization } from './organization.ts';

/** As the API takes them. */
export type AuditFilters = Readonly<{
  action?: readonly string[] | undefined;
  /** Kinds of changes that are left out. */
  except?: readonly string[] | undefined;
  actor?: readonly string[] | undefined;
  /** The id of what was changed. */
  target?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
  /** Only in the log of the platform. */
  organization?: readonly string[] | undefined;
  /** Only in the log of the platform: the person whose account was changed. */
  account?: string | undefined;
}>;

/** Null: the log of all organizations and of the platform. */
export type AuditScope = string | null;

function pathOfLog(scope: AuditScope): string {
  return scope === null ? '/audit' : `/organizations/${scope}/audit`;
}

/** The earlier entries stay visible while those of other filters are loading. */
export const auditQuery = (scope: AuditScope, filters: AuditFilters) => ({
  ...listQuery<AuditEntry>(
    scope === null ? ['platform', 'audit'] : ofOrganization(scope, 'audit'),
    pathOfLog(scope),
    filters,
  ),
  placeholderData: keepPreviousData,
});

export function auditCsv(scope: AuditScope, filters: AuditFilters): string {
  return pathOf(pathOfLog(scope), { ...filters, format: 'csv' });
}

/** The newest changes of terms that are searched for the last suspension. */
const CHANGES = 50;

/** The entry of the last suspension of an organization; null if none of its last changes is one. */
export const suspensionQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'suspension'),
    queryFn: async ({ signal }) => {
      const asked = { action: 'organization.change-terms', limit: CHANGES };
      const { data } = await get<Page<AuditEntry>>(pathOfLog(organization), asked, signal);
      return lastSuspension(data);
    },
  });

type Change = Pick<AuditEntry, 'details'>;

/**
 * Returns the change that suspended an organization, of changes from the newest to the oldest. A
 * suspended organization may be suspended again, which changes nothing: such an entry counts only if
 * it has a reason and the first has none.
 */
export function lastSuspension<Entry extends Change>(changes: readonly Entry[]): Entry | null {
  const statusOf = ({ details }: Change) => details['status'];
  const activated = changes.findIndex((one) => statusOf(one) === 'active');
  const suspensions = changes
    .slice(0, activated === -1 ? undefined : activated)
    .filter((one) => statusOf(one) === 'suspended');
  const hasReason = ({ details }: Change) => typeof details['reason'] === 'string';
  return suspensions.findLast(hasReason) ?? suspensions.at(-1) ?? null;
}

/** How much earlier than an invoice the first entry about it may be. */
const APART_MS = 60_000;
/** The most entries of the organization's invoices since one of them was issued. */
const INVOICE_CHANGES = 1000;

/** What was done to an invoice, newest first. */
export const invoiceChangesQuery = ({ id, organization, created }: Invoice) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'audit', 'invoice', id),
    queryFn: async ({ signal }) => {
      // No end: an invoice is often marked as paid days after it was paid.
      const asked = {
        action: 'invoice',
        from: new Date(Date.parse(created) - APART_MS).toISOString(),
        limit: INVOICE_CHANGES,
      };
      const { data } = await get<Page<AuditEntry>>(pathOfLog(organization), asked, signal);
      return data.filter(({ target }) => target === id);
    },
  });

/** The entry of the last lock of a person's account; null if it is not known. */
export const lockQuery = (person: string) =>
  queryOptions({
    queryKey: ['platform', 'audit', 'lock', person],
    queryFn: async ({ signal }) => {
      const asked = { account: person, action: 'person.lock', limit: 1 };
      const { data } = await get<Page<AuditEntry>>('/audit', asked, signal);
      return data[0] ?? null;
    },
  });

/** The most changes of each kind. */
const HOST_CHANGES = 100;

/** ISO 8601; `until` is exclusive, and undefined for a time up to now. */
export type ChangesTime = Readonly<{ from: string; until: string | undefined }>;

/** The newest of what operators did to hosts and to workers in a time, so that no older entry is read. */
export const hostChangesQuery = (time: ChangesTime) =>
  queryOptions({
    queryKey: ['platform', 'audit', 'hosts', time],
    queryFn: async ({ signal }) => {
      const [agents, workers] = await Promise.all(
        ['agent', 'worker'].map((action) =>
          get<Page<AuditEntry>>('/audit', { action, limit: HOST_CHANGES, ...time }, signal),
        ),
      );
      return [...(agents?.data ?? []), ...(workers?.data ?? [])];
    },
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
