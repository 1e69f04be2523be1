/** The last station of a request that is not served: the one place where an error becomes an answer. */
import type { Refusal } from '../../shared/refusals.ts';
import type { Reply } from './reply.ts';

/** Answers with the refusal, or cuts the stream if it has begun (SPEC 3.4). */
export function refuse(reply: Reply, refusal: Refusal): void {
  if (reply.left) return;
  if (reply.begun) return reply.cut();
  const headers: Record<string, string> = { ...refusal.headers };
  if (refusal.retryAfterS !== null) headers['retry-after'] = String(refusal.retryAfterS);
  // The body may not have been read to its end: what follows it on this connection would be misread.
  if (refusal.code === 'body_too_large' || refusal.code === 'bad_request') {
    headers['connection'] = 'close';
  }
  reply.json(refusal.status, JSON.stringify(refusal.body(reply.requestId)), headers);
}
