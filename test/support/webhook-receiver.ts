/** A customer's server: it notes the requests that it gets, and answers as the test wants. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';

export type Received = Readonly<{
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  text: string;
  // `any`, because each test states the shape of the event that it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  event: any;
}>;

export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  /** Answers a request. Default: 204. */
  answer: (response: ServerResponse, request: Received) => void = (response) => {
    response.writeHead(204).end();
  };
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const { url: path = '', method = '', headers } = request;
      const received = { path, method, headers, text, event: JSON.parse(text) };
      this.received.push(received);
      this.answer(response, received);
    });
  });

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  url(path = '/hooks'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  refuseWith(status: number): void {
    this.answer = (response) => response.writeHead(status).end('no');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Verifies a request as a customer does, at its own time. Throws when the signature is wrong. */
export function verify(secret: string, { headers, text }: Received): unknown {
  const seconds = Number(headers['webhook-timestamp']);
  vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 });
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}
