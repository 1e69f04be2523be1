/** What a request's headers say about an answer that the client may already have, or take zipped. */
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the client has the answer with this `etag`: `if-none-match` lists it, in a weak form or not,
 * or is `*` (RFC 9110, 13.1.2).
 */
export function hasAnswer(headers: IncomingHttpHeaders, etag: string): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
  return known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

/** Whether `accept-encoding` names gzip and does not refuse it with a quality of 0 (RFC 9110, 12.5.3). */
export function takesGzip(headers: IncomingHttpHeaders): boolean {
  const codings = (headers['accept-encoding'] ?? '').split(',');
  return codings.some((coding) => {
    const [name = '', quality = ''] = coding.toLowerCase().split(';');
    return name.trim() === 'gzip' && !/^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(quality);
  });
}
