/** The playground's key, and what an answer cost that ended before it could say so. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { PlaygroundSession } from '../../../shared/api/playground.ts';
import type { UsageDetail } from '../../../shared/api/usage.ts';
import { ApiError, get, send } from './client.ts';
import { ofOrganization } from './organization.ts';

export type Session = z.infer<typeof PlaygroundSession>;

/** It is a secret: never keep the answer in a cache of queries. */
export function openSession(organization: string): Promise<Session> {
  return send<Session>('POST', `/organizations/${organization}/playground/session`);
}

const TRIES_MAX = 8;
const TRY_EACH_MS = 750;

/** A request that was left is settled a moment later: until then it is not found. */
export const settledQuery = (organization: string, request: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'playground', request),
    queryFn: ({ signal }) =>
      get<UsageDetail>(`/organizations/${organization}/usage/${request}`, {}, signal),
    staleTime: Infinity,
    retry: (count, error) => count < TRIES_MAX && error instanceof ApiError && error.status === 404,
    retryDelay: TRY_EACH_MS,
  });
