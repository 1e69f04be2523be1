/**
 * Draws documents as PDFs on a thread of their own. A drawing takes up to a second or
 * two of a processor: on the event loop it would stop all streams, and in a procedure it would hold
 * a transaction and the thread that sums up usage. The thread starts with the first drawing and
 * draws one document at a time. It draws few of them, so that nobody waits long.
 */
import { Worker } from 'node:worker_threads';
import { ConcurrencyLimit } from '../../../shared/bounds/concurrency-limit.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Log } from '../../../shared/log.ts';
import { Refused } from '../api.ts';
import type { PrintedDocument } from '../../../shared/documents/document.ts';

/** How many drawings run or wait at once on a router, of all organizations and of each. */
export const DRAWINGS_MAX = { total: 8, organization: 3 } as const;
const RETRY_AFTER_S = { organization: 2, total: 5 } as const;

/** The memory of the thread, in MB: for new values, and for those that stay. */
const MEMORY_MB = { young: 6, old: 256 } as const;
const MODULE = new URL('./drawing-worker.ts', import.meta.url);

/** `issued` is the date of the file, in ms since the epoch. */
export type ToDraw = Readonly<{ id: number; document: PrintedDocument; issued: number }>;
/** `error`: why the document could not be drawn. */
export type Drawn = Readonly<{ id: number } & ({ pdf: Uint8Array } | { error: string })>;

export class Drawings implements AsyncDisposable {
  /** Counts the drawings of each organization that run or wait. */
  readonly limit = new ConcurrencyLimit<OrganizationId>({
    totalMax: DRAWINGS_MAX.total,
    peerMax: DRAWINGS_MAX.organization,
  });
  readonly #log: Log;
  readonly #waiting = new Map<number, PromiseWithResolvers<Uint8Array>>();
  #worker: Worker | null = null;
  #newest = 0;
  #closed = false;

  constructor({ log }: Readonly<{ log: Log }>) {
    this.#log = log;
  }

  /**
   * Returns the PDF of a document. Throws `Refused` if too many drawings of the organization, or of
   * all, are under way.
   */
  async draw(
    organization: OrganizationId,
    document: PrintedDocument,
    issued: number,
  ): Promise<Uint8Array> {
    using slot = this.limit.enter(organization);
    if (!slot) throw this.#refusal(organization);
    if (this.#closed) throw new Error('the router draws no more documents');
    const worker = (this.#worker ??= this.#spawn());
    const id = ++this.#newest;
    const drawing = Promise.withResolvers<Uint8Array>();
    this.#waiting.set(id, drawing);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ id, document, issued } satisfies ToDraw);
    return await drawing.promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  #refusal(organization: OrganizationId): Refused {
    const isOwn = this.limit.of(organization) >= DRAWINGS_MAX.organization;
    return isOwn
      ? new Refused(
          'rate_limited',
          'Too many PDFs of this organization are being drawn: request this one when you have them.',
          undefined,
          RETRY_AFTER_S.organization,
        )
      : new Refused(
          'rate_limited',
          'Too many PDFs are being drawn: try again in a few seconds.',
          undefined,
          RETRY_AFTER_S.total,
        );
  }

  #spawn(): Worker {
    const worker = new Worker(MODULE, {
      name: 'penstock-drawings',
      // The router's own Node flags, such as a test runner's loaders, do not apply to its threads.
      execArgv: [],
      resourceLimits: {
        maxYoungGenerationSizeMb: MEMORY_MB.young,
        maxOldGenerationSizeMb: MEMORY_MB.old,
      },
    });
    worker.on('message', (drawn: Drawn) => {
      const drawing = this.#waiting.get(drawn.id);
      this.#waiting.delete(drawn.id);
      if ('pdf' in drawn) drawing?.resolve(drawn.pdf);
      else drawing?.reject(new Error(`a document could not be drawn: ${drawn.error}`));
    });
    worker.on('error', (err: unknown) => {
      this.#log.error({ err }, 'thread that draws documents failed');
    });
    // The next drawing starts another thread.
    worker.on('exit', () => {
      this.#worker = null;
      for (const drawing of this.#waiting.values()) {
        drawing.reject(new Error('the thread that draws documents ended'));
      }
      this.#waiting.clear();
    });
    return worker;
  }
}
