/**
 * Parses and checks bodies. A small body is parsed on the event loop, where that costs less than a
 * handover. A larger body is parsed on one of two threads. One thread takes only bodies of ordinary
 * size, so that these do not wait behind bodies that take a second.
 */
import { FairQueue } from '../../../shared/bounds/fair-queue.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import type { Log } from '../../../shared/log.ts';
import { Refusal, type RefusalCode } from '../../../shared/refusals.ts';
import type { Api } from '../api.ts';
import type { Blocks } from './body.ts';
import { isFault, type PlainFault } from './fault.ts';
import { joined, lengthOf } from './join.ts';
import { type Facts, readRequest } from './read.ts';
import { ReadingThread, type ThreadAnswer } from './thread.ts';

/** The largest body of ordinary size. */
const ORDINARY_BYTES_MAX = 1024 * 1024;
/**
 * Heap limits of the threads: twice what their largest body needs in the worst case. A body is held
 * as text, as parsed strings and as the text that is hashed, with two bytes for each character. One
 * that is translated is also held as the text of a chat, and the inputs of its tools as parsed a
 * second time and as the text of their arguments. The limits on bytes and values keep a thread
 * within its heap. V8 terminates a thread whose heap fills gradually, but the whole process when a
 * single string does not fit.
 */
const HEAP_MB_MAX = { ordinary: 128, any: 768 } as const;

export type BodyReadersParts = Readonly<{
  clock: Clock;
  log: Log;
  /** For tests. */
  heapMbMax?: number;
}>;

/** `blocks` do not share their memory. A thread takes them over: do not use them after `read`. */
export type Body = Readonly<{ blocks: Blocks; api: Api; salt: string; wantsDigest?: boolean }>;
export type ReadBody = Readonly<{ raw: Buffer; facts: Facts }>;

type Waiting = Readonly<{
  body: Body;
  isWanted: () => boolean;
  resolve: (read: ReadBody | Refusal) => void;
}>;

export class BodyReaders implements AsyncDisposable {
  readonly #ordinary: ReadingThread;
  readonly #any: ReadingThread;
  readonly #idle = new Set<ReadingThread>();
  readonly #queues = {
    ordinary: new FairQueue<OrganizationId, Waiting>(),
    large: new FairQueue<OrganizationId, Waiting>(),
  };

  constructor({ clock, log, heapMbMax }: BodyReadersParts) {
    const parts = { clock, log, readMsMax: limits.bodyCheckMsMax };
    this.#ordinary = new ReadingThread({ ...parts, heapMbMax: heapMbMax ?? HEAP_MB_MAX.ordinary });
    this.#any = new ReadingThread({ ...parts, heapMbMax: heapMbMax ?? HEAP_MB_MAX.any });
    this.#idle.add(this.#ordinary).add(this.#any);
  }

  /** Parses and checks a body. A body that waited in a queue is refused if `isWanted` is false. */
  read(
    body: Body,
    of: Readonly<{ organization: OrganizationId; isWanted: () => boolean }>,
  ): Promise<ReadBody | Refusal> | ReadBody | Refusal {
    const bytes = lengthOf(body.blocks);
    if (bytes <= limits.bodyInlineBytesMax) return readHere(body);
    const { promise, resolve } = Promise.withResolvers<ReadBody | Refusal>();
    const size = bytes <= ORDINARY_BYTES_MAX ? 'ordinary' : 'large';
    this.#queues[size].add(of.organization, { body, isWanted: of.isWanted, resolve });
    this.#startNext();
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#ordinary, this.#any].map((thread) => thread[Symbol.asyncDispose]()));
  }

  #startNext(): void {
    for (const thread of this.#idle) {
      const waiting = this.#nextFor(thread);
      if (waiting) void this.#run(thread, waiting);
    }
  }

  #nextFor(thread: ReadingThread): Waiting | undefined {
    const { ordinary, large } = this.#queues;
    const next = () => (thread === this.#any ? (large.next() ?? ordinary.next()) : ordinary.next());
    for (let waiting = next(); waiting; waiting = next()) {
      if (waiting.isWanted()) return waiting;
      waiting.resolve(new Refusal('bad_request'));
    }
    return undefined;
  }

  async #run(thread: ReadingThread, { body, resolve }: Waiting): Promise<void> {
    this.#idle.delete(thread);
    const answer = await thread.read(body);
    this.#idle.add(thread);
    resolve(readOf(answer));
    this.#startNext();
  }
}

/** A refusal for what a body says. */
export class BodyRefusal extends Refusal {
  /** The model that the body names. */
  readonly model: string | null;

  constructor(
    code: RefusalCode,
    options: ConstructorParameters<typeof Refusal>[1],
    model: string | null,
  ) {
    super(code, options);
    this.model = model;
  }
}

function readHere({ blocks, ...how }: Body): ReadBody | Refusal {
  const read = readRequest({ bytes: joined(blocks), ...how });
  if (isFault(read)) return refusalOf(read);
  const { bytes, facts } = read;
  return { raw: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), facts };
}

function readOf(answer: ThreadAnswer): ReadBody | Refusal {
  if (typeof answer === 'object') {
    const { result, bytes } = answer;
    if ('fault' in result) return refusalOf(result.fault);
    return { raw: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), facts: result.facts };
  }
  switch (answer) {
    case 'out_of_memory':
      return new Refusal('invalid_json', {
        message: 'The body takes more memory to read than one body may.',
      });
    case 'late':
      // It is the work of this body that is too much, and not a sign that the service is unavailable.
      return new Refusal('rate_limited', {
        message: 'The body took too long to check: retry later, or send a smaller one.',
        retryAfterS: 1,
      });
    case 'lost':
      return new Refusal('internal_error');
  }
}

function refusalOf({ code, param, message, model }: PlainFault): BodyRefusal {
  return new BodyRefusal(code, { param, ...(message !== null && { message }) }, model);
}
