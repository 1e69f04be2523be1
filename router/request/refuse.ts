/** The last stage of a request that is not served. Only here does a Refusal become a response. */
import type { Clock } from '../../shared/clock.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { Refusal, REFUSALS } from '../../shared/refusals.ts';
import { errorAnswer } from './errors.ts';
import { RateLimited } from './limited.ts';
import { StoreUnavailable } from '../ledger/terms.ts';
import type { RequestLabels, RequestMetrics } from './metrics.ts';
import { rateHeaders } from './rate-headers.ts';
import type { Reply } from './reply.ts';

/** OpenAI's clients ignore a longer wait, and retry after half a second. */
const RETRY_AFTER_S_MAX = 60;

export type RefuseParts = Readonly<{
  metrics: RequestMetrics;
  clock: Clock;
  /** The origin of the dashboard; '' when it is not known. */
  dashboard: () => string;
}>;

/** What is known of a refused request. `organization`: null when its key is not known. */
export type Refused = Readonly<{ labels: RequestLabels; organization: OrganizationId | null }>;

/** Counts the refusal, and sends it. */
export function refuseCounted(
  { metrics, clock, dashboard }: RefuseParts,
  reply: Reply,
  refusal: Refusal,
  { labels, organization }: Refused,
): void {
  metrics.refused(labels, refusal);
  const origin = organization === null ? '' : dashboard();
  const page = origin === '' ? null : `${origin}/${organization}/logs/${reply.requestId}`;
  refuse(reply, refusal, { clock, page });
}

/** Sends the refusal, or cuts the stream if the response has begun. */
function refuse(
  reply: Reply,
  refusal: Refusal,
  { clock, page }: Readonly<{ clock: Clock; page: string | null }>,
): void {
  if (reply.disconnected) return;
  if (reply.begun) return reply.abort();
  // OpenAI's clients would retry every 429 and 5xx.
  const headers: Record<string, string> = {
    ...waitHeaders(refusal),
    ...(refusal instanceof RateLimited && rateHeaders(refusal.standings, reply.api, clock.now())),
    'x-should-retry': String(REFUSALS[refusal.code].retry),
    // The page of the request on the dashboard, with cause and cure. The body keeps the form that
    // clients know.
    ...(page !== null && { link: `<${page}>; rel="help"` }),
  };
  // The rest of the body may still be unread, and would be taken for the next request.
  if (refusal.code === 'body_too_large' || refusal.code === 'bad_request') {
    headers['connection'] = 'close';
  }
  const { status, body } = errorAnswer(reply.api, refusal, reply.requestId);
  reply.json(status, JSON.stringify(body), headers);
}

/** When to try again: in whole seconds for all clients, and in ms for the SDKs that read them. */
function waitHeaders(refusal: Refusal): Record<string, string> {
  const { retryAfterS: seconds } = refusal;
  if (seconds === null) return {};
  const ms = refusal instanceof RateLimited ? refusal.retryAfterMs : seconds * 1000;
  return {
    'retry-after': String(Math.min(RETRY_AFTER_S_MAX, seconds)),
    'retry-after-ms': String(Math.min(RETRY_AFTER_S_MAX * 1000, ms)),
  };
}

/** The refusal for an error: an unavailable store is expected, anything else is a bug. */
export function refusalOf(error: unknown): Refusal {
  return error instanceof StoreUnavailable
    ? new Refusal('store_unavailable', { retryAfterS: 1 })
    : new Refusal('internal_error');
}
