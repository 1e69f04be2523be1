/** Clients whose complete answers a backup must contain. */
import { readStream } from '../support/sse.ts';
import type { Up } from '../support/up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
export const CLIENTS = 8;

/** Sends requests until it is stopped, and notes those whose answers were complete. */
export class Load {
  readonly answered: string[] = [];
  readonly #running: Promise<void[]>;
  #isStopped = false;

  constructor(up: Up) {
    this.#running = Promise.all(Array.from({ length: CLIENTS }, () => this.#askOn(up)));
  }

  async #askOn(up: Up): Promise<void> {
    while (!this.#isStopped) {
      // A request to a service that has been killed has no answer.
      const seen = await ask(up).then(
        (response) => readStream(response),
        () => null,
      );
      if (seen?.done) this.answered.push(seen.requestId as string);
    }
  }

  /** Sends no new requests. Resolves when the last answers have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }
}

export function ask(up: Up): Promise<Response> {
  return up.post('/chat/completions', {
    model: MODEL,
    messages: [{ role: 'user', content: 'Write 5 words.' }],
    max_tokens: 5,
    stream: true,
  });
}
