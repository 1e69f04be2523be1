/** The playground's key, and the cost of an answer that ended before it reported its usage. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { PlaygroundSession } from '../../../shared/api/playground.ts';
import type { UsageDetail } from '../../../shared/api/usage.ts';
import { ApiError, get, send } from './client.ts';
import { ofOrganization } from './organization.ts';

export type Session = z.infer<typeof PlaygroundSession>;

/** Opens a session. The answer contains a secret: never keep it in the query cache. */
export function openSession(organization: string): Promise<Session> {
  return send<Session>('POST', `/organizations/${organization}/playground/session`);
}

const TRIES_MAX = 8;
const TRY_EACH_MS = 750;

/**
 * The usage of a request whose client disconnected. The API answers 404 until the request is
 * settled, a moment later, so the query retries on 404.
 */
export const settledQuery = (organization: string, request: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'playground', request),
    queryFn: ({ signal }) =>
      get<UsageDetail>(`/organizations/${organization}/usage/${request}`, {}, signal),
    staleTime: Infinity,
    retry: (count, error) => count < TRIES_MAX && error instanceof ApiError && error.status === 404,
    retryDelay: TRY_EACH_MS,
  });
