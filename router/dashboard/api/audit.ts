/** The audit log of an organization, and of the whole platform for operators. */
import { keepPreviousData } from '@tanstack/react-query';
import type { AuditEntry } from '../../../shared/api/audit.ts';
import { pathOf } from './client.ts';
import { listQuery } from './lists.ts';
import { ofOrganization } from './organization.ts';

/** As the API takes them. */
export type AuditFilters = Readonly<{
  action?: string | undefined;
  actor?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
  /** Only in the log of the platform. */
  organization?: string | undefined;
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
