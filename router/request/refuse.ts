/** The last stage of a request that is not served. Only here does a Refusal become a response. */
import type { Log } from '../../shared/log.ts';
import type { Refusal } from '../../shared/refusals.ts';
import type { RequestMetrics } from './metrics.ts';
import type { Reply } from './reply.ts';

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
  const headers: Record<string, string> = { ...refusal.headers };
  if (refusal.retryAfterS !== null) headers['retry-after'] = String(refusal.retryAfterS);
  // The rest of the body may still be unread, and would be taken for the next request.
  if (refusal.code === 'body_too_large' || refusal.code === 'bad_request') {
    headers['connection'] = 'close';
  }
  reply.json(refusal.status, JSON.stringify(refusal.body(reply.requestId)), headers);
}
