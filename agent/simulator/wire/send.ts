/** Sends responses in one piece. */
import type { ServerResponse } from 'node:http';
import type { MetricsPage } from './metrics-page.ts';

/** `body` is JSON text. */
export function sendJson(response: ServerResponse, status: number, body: string): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

export function sendEmpty(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0 });
  response.end();
}

export async function sendPage(response: ServerResponse, page: MetricsPage): Promise<void> {
  const text = await page.text();
  response.writeHead(200, { 'content-type': page.contentType }).end(text);
}
