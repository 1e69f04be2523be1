/** The last stage of a request that is not served. Only here does a Refusal become a response. */
import type { Log } from '../../shared/log.ts';
import { type Refusal, REFUSALS } from '../../shared/refusals.ts';
import { errorAnswer } from './errors.ts';
import type { RequestMetrics } from './metrics.ts';
import type { Reply } from './reply.ts';

/** OpenAI's clients ignore a longer wait, and retry after half a second. */
const RETRY_AFTER_S_MAX = 60;

/** Counts and logs the refusal, and sends it. `model` is null when the request names none yet. */
export function refuseCounted(
  { metrics, log }: Readonly<{ metrics: RequestMetrics; log: Log }>,
  reply: Reply,
  refusal: Refusal,
  model: string | null,
): void {
  metrics.refused(model, refusal);
  log.debug({ request: reply.requestId, model, code: refusal.code }, 'refused a request');
  refuse(reply, refusal);
}

/** Sends the refusal, or cuts the stream if the response has begun. */
function refuse(reply: Reply, refusal: Refusal): void {
  if (reply.disconnected) return;
  if (reply.begun) return reply.abort();
  // OpenAI's clients would retry every 429 and 5xx.
  const headers: Record<string, string> = {
    ...refusal.headers,
    'x-should-retry': String(REFUSALS[refusal.code].retry),
  };
  if (refusal.retryAfterS !== null) {
    headers['retry-after'] = String(Math.min(RETRY_AFTER_S_MAX, refusal.retryAfterS));
  }
  // The rest of the body may still be unread, and would be taken for the next request.
  if (refusal.code === 'body_too_large' || refusal.code === 'bad_request') {
    headers['connection'] = 'close';
  }
  const { status, body } = errorAnswer(reply.api, refusal, reply.requestId);
  reply.json(status, JSON.stringify(body), headers);
}
