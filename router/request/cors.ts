/**
 * CORS headers, so that browsers can call `/v1` from pages of other origins, as the playground
 * does. They are constants, so they cost nothing. Any origin is allowed: browsers add no
 * credentials here, so a page can only use an API key that it already has, like any other client.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** For every response, including errors: without these headers a page could not read the error. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  // All headers: the request id, retry-after, the rate limits.
  'access-control-expose-headers': '*',
} as const;

const PREFLIGHT_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  // The star means all headers except this one, which has to be named.
  'access-control-allow-headers': 'authorization, *',
  // In seconds. Browsers may keep it for less.
  'access-control-max-age': '86400',
} as const;

/** Whether a request is a CORS preflight. Any other OPTIONS request is an unknown method. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/**
 * Answers a preflight, for any path and without a key: browsers send no key with it, and a wrong
 * path gets its 404 with the request itself.
 */
export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  // Without a listener, an error on a half-closed socket would end the process.
  request.on('error', ignore);
  response.on('error', ignore);
  response.writeHead(204, PREFLIGHT_HEADERS).end();
}

function ignore(): void {}
