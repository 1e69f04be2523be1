/**
 * What browsers need to call `/v1` from a page of another origin, as the playground does: constants, so that no
 * answer costs more for it. Any origin is welcome because nothing is lent to it: a browser adds no credentials of its
 * own here, so a page can only ask with an API key that it already has, as any other client.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** On every answer, those of errors included: without them a page could not read why it was refused. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  // All of them: the request's id, when to come back, what is left of the limits.
  'access-control-expose-headers': '*',
} as const;

const PREFLIGHT_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  // The star is all headers but this one, which has to be named.
  'access-control-allow-headers': 'authorization, *',
  // Browsers keep it for as long as they will: up to a day.
  'access-control-max-age': '86400',
} as const;

/** The question that a browser asks before a request; any other OPTIONS is a method that is not there. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** The same for every path, and without a key: browsers send none along, and a 404 is for the request itself to get. */
export function answerPreflight(request: IncomingMessage, response: ServerResponse): void {
  // Without a listener an error on a half-closed socket would end the process.
  request.on('error', ignore);
  response.on('error', ignore);
  response.writeHead(204, PREFLIGHT_HEADERS).end();
}

function ignore(): void {}
