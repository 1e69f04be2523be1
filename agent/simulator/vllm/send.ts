/** Responses in one piece. */
import type { ServerResponse } from 'node:http';
import type { EngineError } from './errors.ts';

/** `body` is JSON text. */
export function sendJson(response: ServerResponse, status: number, body: string): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

export function sendError(response: ServerResponse, error: EngineError): void {
  sendJson(response, error.status, error.json);
}

export function sendEmpty(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0 });
  response.end();
}
