/** The organization, its credit and its models, which many pages show. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { CreditForecast, CreditState } from '../../../shared/api/credit.ts';
import type { Model } from '../../../shared/api/models.ts';
import type { Organization } from '../../../shared/api/organizations.ts';
import { get, type Page } from './client.ts';

/**
 * Returns a query key below `organization`. All queries of an organization start with the same key,
 * so that invalidating `ofOrganization(organization)` refetches all of them.
 */
export function ofOrganization(
  organization: string,
  ...more: readonly unknown[]
): readonly unknown[] {
  return ['organization', organization, ...more];
}

export const organizationQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'itself'),
    queryFn: ({ signal }) => get<Organization>(`/organizations/${organization}`, {}, signal),
  });

export const creditQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'credit'),
    queryFn: ({ signal }) =>
      get<z.infer<typeof CreditState>>(`/organizations/${organization}/credit`, {}, signal),
  });

/** It changes slowly, and adds up the spend of days. */
const FORECAST_AGAIN_MS = 300_000;

export const creditForecastQuery = (organization: string) =>
  queryOptions({
    // Below the key of the credit, so that added credit changes it too.
    queryKey: ofOrganization(organization, 'credit', 'forecast'),
    queryFn: ({ signal }) =>
      get<CreditForecast>(`/organizations/${organization}/credit/forecast`, {}, signal),
    refetchInterval: FORECAST_AGAIN_MS,
  });

export const modelsQuery = (organization: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'models'),
    queryFn: ({ signal }) =>
      get<Page<Model>>(`/organizations/${organization}/models`, { limit: 1000 }, signal),
    staleTime: 60_000,
  });
