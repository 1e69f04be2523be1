/** Writes the deltas of one attempt to the client, in the response format of its endpoint. */
import type { Budget, Lease } from '../../../shared/bounds/budget.ts';
import type { AgentId } from '../../../shared/ids.ts';
import type { Delta } from '../../fleet/stream.ts';
import type { Worker } from '../../fleet/worker.ts';
import type { AdmittedRequest } from '../admitted-request.ts';
import type { Endpoint } from '../arrive.ts';
import { completionId } from '../call.ts';
import type { Reply } from '../reply.ts';
import { chat } from './chat.ts';
import { completions } from './completions.ts';
import { Gatherer } from './gather.ts';
import type { Ending, Events, ResponseEncoder, Heading } from './response-encoder.ts';

const ENCODERS: Readonly<Record<Endpoint, ResponseEncoder>> = { chat, completions };

/** An answer in progress. Disposing of an unfinished answer frees its memory. */
export interface Answer extends Disposable {
  /** Whether a part was sent to the client. From then on, no other worker can give the answer. */
  readonly isOut: boolean;
  /**
   * Hot path. Takes a delta, whose buffers are valid only during the call. Returns false when there
   * is no memory for it.
   */
  add(delta: Delta): boolean;
  /** Completes the answer. Called once, after the charge. */
  finish(ending: Ending): void;
}

export function openAnswer(
  budget: Budget<AgentId>,
  { call, parsed, reply }: AdmittedRequest,
  worker: Worker,
): Answer {
  const encoder = ENCODERS[parsed.endpoint];
  const heading: Heading = {
    completionId: completionId(call, parsed),
    created: Math.floor(call.created / 1000),
    model: parsed.model.entry.id,
    fingerprint: fingerprintOf(worker),
  };
  if (!parsed.streamed) return new WholeAnswer(encoder, heading, reply, budget.lease(worker.agent));
  return new StreamedAnswer(encoder.events(heading, reply), reply, parsed.includeUsage);
}

/** Identifies the engine's build, as reported by its agent. It never identifies the host. */
function fingerprintOf({ load }: Worker): string | null {
  return load.engine === '' ? null : `fp_${load.engine.replaceAll(' ', '_')}`;
}

class StreamedAnswer implements Answer {
  readonly #events: Events;
  readonly #reply: Reply;
  readonly #includeUsage: boolean;
  isOut = false;

  constructor(events: Events, reply: Reply, includeUsage: boolean) {
    this.#events = events;
    this.#reply = reply;
    this.#includeUsage = includeUsage;
  }

  add(delta: Delta): boolean {
    if (!this.isOut) {
      this.isOut = true;
      this.#reply.beginStream();
    }
    this.#events.add(delta);
    return true;
  }

  finish(ending: Ending): void {
    this.#reply.endStream(this.#events.end(ending, this.#includeUsage));
  }

  [Symbol.dispose](): void {}
}

class WholeAnswer implements Answer {
  readonly isOut = false;
  readonly #encoder: ResponseEncoder;
  readonly #heading: Heading;
  readonly #reply: Reply;
  readonly #lease: Lease;
  readonly #gatherer: Gatherer;

  constructor(encoder: ResponseEncoder, heading: Heading, reply: Reply, lease: Lease) {
    this.#encoder = encoder;
    this.#heading = heading;
    this.#reply = reply;
    this.#lease = lease;
    this.#gatherer = new Gatherer(lease);
    // A finished answer stays in memory until the client has it.
    reply.onClose(() => this[Symbol.dispose]());
  }

  add(delta: Delta): boolean {
    return this.#gatherer.add(delta);
  }

  finish(ending: Ending): void {
    this.#reply.jsonPieces(this.#encoder.whole(this.#heading, this.#gatherer.gathered, ending));
  }

  [Symbol.dispose](): void {
    this.#lease[Symbol.dispose]();
  }
}
