/** Lists for operators: all organizations, all people, and the audit log of the platform. */
import { keepPreviousData } from '@tanstack/react-query';
import type { AuditEntry } from '../../../shared/api/audit.ts';
import type { Organization } from '../../../shared/api/organizations.ts';
import type { Person } from '../../../shared/api/people.ts';
import { listQuery } from './lists.ts';

/** The earlier results stay visible while the next search is loading. */
export const organizationsQuery = (search: string) => ({
  ...listQuery<Organization>(['platform', 'organizations'], '/organizations', { search }),
  placeholderData: keepPreviousData,
});

export const peopleQuery = (search: string) => ({
  ...listQuery<Person>(['platform', 'people'], '/people', { search }),
  placeholderData: keepPreviousData,
});

export type AuditFilter = Readonly<{ action: string; organization: string }>;

export const platformAuditQuery = (filter: AuditFilter) => ({
  ...listQuery<AuditEntry>(['platform', 'audit'], '/audit', filter),
  placeholderData: keepPreviousData,
});
