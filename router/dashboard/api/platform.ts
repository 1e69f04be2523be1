/** The platform for operators: all organizations, all people, money by day, and alarms. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OrganizationEntry } from '../../../shared/api/organizations.ts';
import type { PersonDetail, PersonEntry } from '../../../shared/api/people.ts';
import type { PlatformStatus, PlatformSummary } from '../../../shared/api/platform.ts';
import type { OrganizationsSearch } from '../search.ts';
import { get } from './client.ts';
import { listQuery } from './lists.ts';

/** The earlier results stay visible while the next search is loading. */
export const organizationsQuery = (search: OrganizationsSearch) => ({
  ...listQuery<OrganizationEntry>(['platform', 'organizations'], '/organizations', search),
  placeholderData: keepPreviousData,
});

export const peopleQuery = (search: string) => ({
  ...listQuery<PersonEntry>(['platform', 'people'], '/people', { search }),
  placeholderData: keepPreviousData,
});

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

export const platformStatusQuery = queryOptions({
  queryKey: ['platform', 'status'],
  queryFn: ({ signal }) => get<PlatformStatus>('/platform/status', {}, signal),
  refetchInterval: 10_000,
});
