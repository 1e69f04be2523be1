/** Writes the deltas of one attempt to the client, in the response format of its API. */
import type { Budget, Lease } from '../../../shared/bounds/budget.ts';
import type { AgentId } from '../../../shared/ids.ts';
import type { Delta } from '../../fleet/stream.ts';
import type { Worker } from '../../fleet/worker.ts';
import type { AdmittedRequest } from '../admitted-request.ts';
import type { Api } from '../api.ts';
import { completionId } from '../call.ts';
import type { Failure } from '../failure.ts';
import type { Reply } from '../reply.ts';
import { chat } from './chat.ts';
import { completions } from './completions.ts';
import { Gatherer } from './gather.ts';
import type { LogprobLists } from './logprobs.ts';
import { messages } from './messages.ts';
import type { Ending, Events, ResponseEncoder, Heading } from './response-encoder.ts';
import { responses } from './responses.ts';

const ENCODERS: Readonly<Record<Api, ResponseEncoder>> = {
  chat,
  completions,
  responses,
  messages,
};

/** An answer in progress. Disposing of an unfinished answer frees its memory. */
export interface Answer extends Disposable {
  /** Whether a part was sent to the client. From then on, no other worker can give the answer. */
  readonly isOut: boolean;
  /** Whether a stream has nothing to send for now, so that its client gets comments or pings. */
  readonly isQuiet: boolean;
  /** Called once, before the first delta. Writes nothing. */
  begin(promptTokens: number): void;
  /**
   * Hot path. Takes a delta, whose buffers are valid only during the call. Returns a failure when
   * there is no memory for it.
   */
  add(delta: Delta): Failure | null;
  /** Completes the answer. Called once, after the charge. */
  finish(ending: Ending): void;
}

export function openAnswer(
  budget: Budget<AgentId>,
  { call, parsed, reply }: AdmittedRequest,
  worker: Worker,
): Answer {
  const encoder = ENCODERS[parsed.api];
  const heading: Heading = {
    completionId: completionId(call, parsed),
    created: Math.floor(call.created / 1000),
    model: parsed.model.entry.id,
    fingerprint: fingerprintOf(worker),
    settings: parsed.settings,
  };
  const lease = budget.lease(worker.agent);
  const { includeUsage } = parsed;
  const logprobs = (parsed.topLogprobs !== null && encoder.logprobs?.()) || null;
  if (parsed.streamed) {
    return new StreamedAnswer(encoder, heading, { reply, lease, includeUsage, logprobs });
  }
  const gatherer = new Gatherer(lease, {
    parsesArguments: encoder.parsesArguments === true,
    logprobs,
  });
  return new WholeAnswer(encoder, heading, { reply, lease, gatherer });
}

/** Identifies the engine's build, as reported by its agent. It never identifies the host. */
function fingerprintOf({ load }: Worker): string | null {
  return load.engine === '' ? null : `fp_${load.engine.replaceAll(' ', '_')}`;
}

type Parts = Readonly<{ reply: Reply; lease: Lease }>;
type StreamedParts = Parts & Readonly<{ includeUsage: boolean; logprobs: LogprobLists | null }>;
type WholeParts = Parts & Readonly<{ gatherer: Gatherer }>;

class StreamedAnswer implements Answer {
  readonly #encoder: ResponseEncoder;
  readonly #heading: Heading;
  readonly #parts: StreamedParts;
  #events!: Events;
  isOut = false;

  constructor(encoder: ResponseEncoder, heading: Heading, parts: StreamedParts) {
    this.#encoder = encoder;
    this.#heading = heading;
    this.#parts = parts;
    // Text that the format repeats stays in memory until the client has it.
    parts.reply.onClose(() => this[Symbol.dispose]());
  }

  get isQuiet(): boolean {
    return !this.isOut || this.#events.isHolding === true;
  }

  begin(promptTokens: number): void {
    const { reply: sink, lease, logprobs } = this.#parts;
    const heading = this.#heading;
    this.#events = this.#encoder.events({ heading, sink, lease, promptTokens, logprobs });
  }

  add(delta: Delta): Failure | null {
    const failure = this.#events.add(delta);
    if (failure === null) this.isOut = true;
    return failure;
  }

  finish(ending: Ending): void {
    const { reply, includeUsage } = this.#parts;
    reply.finish(this.#events.end(ending, includeUsage));
  }

  [Symbol.dispose](): void {
    this.#parts.lease[Symbol.dispose]();
  }
}

class WholeAnswer implements Answer {
  readonly isOut = false;
  readonly isQuiet = false;
  readonly #encoder: ResponseEncoder;
  readonly #heading: Heading;
  readonly #parts: WholeParts;

  constructor(encoder: ResponseEncoder, heading: Heading, parts: WholeParts) {
    this.#encoder = encoder;
    this.#heading = heading;
    this.#parts = parts;
    // A finished answer stays in memory until the client has it.
    parts.reply.onClose(() => this[Symbol.dispose]());
  }

  begin(): void {}

  add(delta: Delta): Failure | null {
    return this.#parts.gatherer.add(delta);
  }

  finish(ending: Ending): void {
    const { reply, gatherer } = this.#parts;
    reply.jsonPieces(this.#encoder.whole(this.#heading, gatherer.gathered, ending));
  }

  [Symbol.dispose](): void {
    this.#parts.lease[Symbol.dispose]();
  }
}
