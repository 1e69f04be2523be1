/**
 * A stand-in for the data plane, on an origin of its own, behind a real `penstock up`: it answers
 * the playground's requests with what a test writes.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Up } from '../support/up.ts';

export class StandIn implements AsyncDisposable {
  readonly up: Up;
  readonly #server: Server;
  readonly #folder: string;

  private constructor(up: Up, server: Server, folder: string) {
    this.up = up;
    this.#server = server;
    this.#folder = folder;
  }

  /** `answer` writes the events of each answer to its response, and ends it. */
  static async start(answer: (response: ServerResponse) => void): Promise<StandIn> {
    const server = createServer((request, response) => {
      if (request.method === 'OPTIONS') {
        response.writeHead(204, {
          'access-control-allow-origin': '*',
          'access-control-allow-headers': 'authorization, *',
        });
        response.end();
        return;
      }
      request.resume();
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': '*',
      });
      answer(response);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const folder = await mkdtemp(join(tmpdir(), 'penstock-stand-in-'));
    const settings = join(folder, 'settings.yaml');
    const { port } = server.address() as AddressInfo;
    await writeFile(settings, `control: { baseUrls: { global: "http://127.0.0.1:${port}/v1" } }\n`);
    return new StandIn(await Up.start(['--settings', settings]), server, folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.up[Symbol.asyncDispose]();
    this.#server.closeAllConnections();
    this.#server.close();
    await rm(this.#folder, { recursive: true });
  }
}

export function chunk(delta: object, finish: string | null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'm' };
  return `data: ${JSON.stringify({ ...head, choices })}\n\n`;
}

/** The last events of an answer. */
export function usage(tokens: number): string {
  const sums = { prompt_tokens: 9, completion_tokens: tokens, total_tokens: tokens + 9 };
  return `data: ${JSON.stringify({ choices: [], usage: sums })}\n\ndata: [DONE]\n\n`;
}
