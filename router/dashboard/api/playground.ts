/** The playground's key, and the cost of an answer that ended before it reported its usage. */
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { PlaygroundSession } from '../../../shared/api/playground.ts';
import type { UsageEntry } from '../../../shared/api/usage.ts';
import { get, type Page, send } from './client.ts';
import { ofOrganization } from './organization.ts';

export type Session = z.infer<typeof PlaygroundSession>;

/** Opens a session. The answer contains a secret: never keep it in the query cache. */
export function openSession(organization: string): Promise<Session> {
  return send<Session>('POST', `/organizations/${organization}/playground/session`);
}

const TRIES_MAX = 8;
const TRY_EACH_MS = 750;
/** More requests than one key of the playground sends while one of them is settled. */
const LISTED = 50;

/** The request is not settled yet. */
class Unsettled extends Error {}

/**
 * The usage of a request whose client disconnected. It is settled a moment later, so the query asks
 * again until the usage of the request's key lists it: asking for the request itself would be
 * answered with 404 until then, which the browser reports as an error.
 */
export const settledQuery = (organization: string, request: string, key: string) =>
  queryOptions({
    queryKey: ofOrganization(organization, 'playground', request),
    queryFn: async ({ signal }) => {
      const path = `/organizations/${organization}/usage`;
      const { data } = await get<Page<UsageEntry>>(path, { key, limit: LISTED }, signal);
      const entry = data.find(({ request_id }) => request_id === request);
      if (!entry) throw new Unsettled(`request ${request} is not settled yet`);
      return entry;
    },
    staleTime: Infinity,
    retry: (count, error) => count < TRIES_MAX && error instanceof Unsettled,
    retryDelay: TRY_EACH_MS,
  });
