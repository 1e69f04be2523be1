/**
 * Bounds the files that are sent piece by piece. Each piece is made in a turn of the event loop of its
 * own, so that files leave the router to its other requests. A file ends early when its client has
 * read nothing for a minute, or may no longer have it.
 */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConcurrencyLimit } from '../../shared/bounds/concurrency-limit.ts';
import type { Clock } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import { personOrNull } from './access/gate.ts';
import { type Api, Refused } from './api.ts';

/** How long a client may read nothing. */
export const STALL_MS = 60_000;
/** How often the access of the caller is checked again. */
const CHECK_MS = 1_000;
const RETRY_AFTER_S = 10;

declare module 'fastify' {
  interface FastifyInstance {
    downloads: Downloads;
  }
}

export function decorateDownloads(api: Api, parts: Readonly<{ clock: Clock }>): void {
  api.decorate('downloads', new Downloads(parts.clock));
}

export class Downloads {
  readonly #clock: Clock;
  readonly #limit = new ConcurrencyLimit<string>(limits.downloads);
  /** Resolves in the turn of the last piece that is wanted. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Sends the pieces as the client reads them. Throws `Refused` when too many files are being sent to
   * this organization or person, or to all.
   */
  send(reply: FastifyReply, pieces: AsyncIterable<string>): FastifyReply {
    const slot = this.#limit.enter(peerOf(reply.request));
    if (slot === null) {
      const message = 'Too many files are being downloaded: wait until one has ended.';
      throw new Refused('rate_limited', message, undefined, RETRY_AFTER_S);
    }
    const stream = Readable.from(this.#paced(reply, pieces), { objectMode: false });
    // By then the pieces have ended, too: a file whose client has left holds its slot until then.
    stream.once('close', () => slot[Symbol.dispose]());
    return reply.send(stream);
  }

  async *#paced(reply: FastifyReply, pieces: AsyncIterable<string>): AsyncGenerator<string> {
    const { raw, request } = reply;
    const iterator = pieces[Symbol.asyncIterator]();
    let checked = this.#clock.monotonic();
    try {
      while (!raw.destroyed) {
        await (this.#turn = this.#turn.then(() => nextTurn()));
        const piece = await iterator.next();
        if (piece.done) return;
        if (this.#clock.monotonic() - checked >= CHECK_MS) {
          await request.admitAgain();
          checked = this.#clock.monotonic();
        }
        // An empty chunk would end the stream.
        if (piece.value === '') continue;
        const stall = this.#clock.after(STALL_MS, () => raw.destroy());
        try {
          yield piece.value;
        } finally {
          stall.cancel();
        }
      }
    } finally {
      await iterator.return?.();
    }
  }
}

/** Operators, who act for any organization, count for themselves. */
function peerOf({ caller, acting }: FastifyRequest): string {
  const isCustomers = acting !== null && acting.role !== 'operator';
  return isCustomers ? acting.organization : (personOrNull({ caller }) ?? 'nobody');
}
