/** Records what reached the engine, for tests that check what an agent sends. */
import type { IncomingHttpHeaders } from 'node:http';

export interface JournalEntry {
  readonly path: string;
  readonly keys: readonly string[];
  readonly header_names: readonly string[];
  readonly traceparent: string | null;
  /** Only present when bodies are recorded, because a body holds what people wrote. */
  readonly body?: unknown;
}

export class Journal {
  readonly #recordBodies: boolean;
  /** The number of generations that the engine has accepted. */
  started = 0;
  last: JournalEntry | null = null;

  constructor(recordBodies: boolean) {
    this.#recordBodies = recordBodies;
  }

  note(path: string, headers: IncomingHttpHeaders, body: unknown): void {
    this.last = {
      path,
      keys: typeof body === 'object' && body !== null ? Object.keys(body) : [],
      header_names: Object.keys(headers),
      traceparent: [headers['traceparent']].flat()[0] ?? null,
      ...(this.#recordBodies && { body }),
    };
  }
}
