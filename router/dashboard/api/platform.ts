/**
 * Lists for operators: all organizations, all people, the audit log of the platform, and the
 * payments and invoices of one organization.
 */
import { keepPreviousData } from '@tanstack/react-query';
import type { AuditEntry } from '../../../shared/api/audit.ts';
import type { Invoice } from '../../../shared/api/invoices.ts';
import type { Organization } from '../../../shared/api/organizations.ts';
import type { Payment } from '../../../shared/api/payments.ts';
import type { Person } from '../../../shared/api/people.ts';
import { listQuery } from './lists.ts';
import { ofOrganization } from './organization.ts';

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

export const paymentsOf = (organization: string) =>
  listQuery<Payment>(
    ofOrganization(organization, 'operator', 'payments'),
    `/organizations/${organization}/payments`,
    { limit: 10 },
  );

export const invoicesOf = (organization: string) =>
  listQuery<Invoice>(
    ofOrganization(organization, 'operator', 'invoices'),
    `/organizations/${organization}/invoices`,
    { limit: 10 },
  );
