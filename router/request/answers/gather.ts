/**
 * Collects an unstreamed answer until it is whole. The text is copied into blocks under a lease, so
 * it takes about as much memory as it has bytes, however small its deltas are.
 */
import { Budget, type Lease } from '../../../shared/bounds/budget.ts';
import { ChunkBuffer } from '../../../shared/bounds/chunk-buffer.ts';
import type { AgentId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { Refusal } from '../../../shared/refusals.ts';
import type { Content, Delta } from '../../fleet/stream.ts';
import type { Failure } from '../failure.ts';
import type { Pieces } from '../reply.ts';
import { type LogprobLists, withLists } from './logprobs.ts';
import type { Gathered } from './response-encoder.ts';
import { TOOL_INPUTS_BYTES_MAX } from './tool-input.ts';

/** The size of the first block for a call's arguments, which are short, and a call's fixed cost. */
export const ARGUMENTS_BYTES = 256;
export const CALL_OVERHEAD_BYTES = 512;

/**
 * The most texts and thoughts of a streamed answer that are told apart. More would cost far more
 * than their deltas pay for: what follows goes on in the last of each kind.
 */
export const TEXTS_MAX = 64;

/** The memory budget of unstreamed answers and of kept parts of streams: in total, and for each agent. */
export function answerBudget(): Budget<AgentId> {
  return new Budget({
    totalBytesMax: limits.answersBytesMax,
    peerBytesMax: limits.answersPerAgentBytesMax,
  });
}

type Call = { id: Buffer; name: Buffer; arguments: ChunkBuffer };

export class Gatherer {
  readonly #lease: Lease;
  readonly #content: ChunkBuffer;
  readonly #reasoning: ChunkBuffer;
  readonly #calls: Call[] = [];
  readonly #parsesArguments: boolean;
  readonly #logprobs: KeptLogprobs | null;
  #argumentsBytes = 0;

  constructor(
    lease: Lease,
    { parsesArguments, logprobs }: { parsesArguments: boolean; logprobs: LogprobLists | null },
  ) {
    this.#lease = lease;
    this.#parsesArguments = parsesArguments;
    this.#logprobs = logprobs && new KeptLogprobs(logprobs, lease);
    this.#content = chunkBuffer(lease);
    this.#reasoning = chunkBuffer(lease);
  }

  /** Hot path. Copies a delta. Returns a failure when there is no room for it. */
  add(delta: Delta): Failure | null {
    switch (delta.kind) {
      case 'content':
        return keep(this.#content, delta.text) ?? this.#logprobs?.add(delta) ?? null;
      case 'reasoning':
        return keep(this.#reasoning, delta.text);
      case 'call': {
        const { id, name } = delta;
        if (!this.#lease.take(CALL_OVERHEAD_BYTES + id.length + name.length)) return ANSWERS_FULL;
        const call = { id: Buffer.from(id), name: Buffer.from(name) };
        this.#calls.push({ ...call, arguments: chunkBuffer(this.#lease, ARGUMENTS_BYTES) });
        return null;
      }
      case 'arguments':
        return this.#addArguments(this.#calls[delta.index] as Call, delta.text);
    }
  }

  #addArguments(call: Call, text: Buffer): Failure | null {
    if (this.#parsesArguments) {
      this.#argumentsBytes += text.length;
      if (this.#argumentsBytes > TOOL_INPUTS_BYTES_MAX) return INPUTS_TOO_LONG;
      // They are kept as text and as an object.
      if (!this.#lease.take(text.length)) return ANSWERS_FULL;
    }
    return keep(call.arguments, text);
  }

  get gathered(): Gathered {
    return {
      content: this.#content.blocks(),
      reasoning: this.#reasoning.blocks(),
      calls: this.#calls.map((call) => ({ ...call, arguments: call.arguments.blocks() })),
      logprobs: this.#logprobs?.pieces ?? null,
    };
  }
}

/** Log probabilities, kept as the JSON that is shown. */
export class KeptLogprobs {
  readonly #format: LogprobLists;
  readonly #lists: readonly ChunkBuffer[];

  constructor(format: LogprobLists, lease: Lease) {
    this.#format = format;
    this.#lists = format.around.slice(1).map(() => chunkBuffer(lease));
  }

  add(delta: Content): Failure | null {
    const added = this.#format.add(delta);
    if (added === null) return null;
    for (const [at, list] of this.#lists.entries()) {
      const comma = list.bytes === 0 ? '' : ',';
      const failure = keep(list, Buffer.from(`${comma}${added[at]}`));
      if (failure) return failure;
    }
    return null;
  }

  /** Null when there are none. */
  get pieces(): Pieces | null {
    if (this.#lists.every(({ bytes }) => bytes === 0)) return null;
    return withLists(
      this.#format,
      this.#lists.map((list) => list.blocks()),
    );
  }
}

function keep(kept: ChunkBuffer, text: Buffer): Failure | null {
  return kept.add(text) === 'kept' ? null : ANSWERS_FULL;
}

/** Creates a chunk buffer. Its pieces need no limit: each costs a part of the byte grant. */
export function chunkBuffer(lease: Lease, expectedBytes = 0): ChunkBuffer {
  return new ChunkBuffer(lease, expectedBytes, Number.POSITIVE_INFINITY);
}

/** The failure when the budget is used up. The request may succeed later, or as a streamed chat. */
export const ANSWERS_FULL: Failure = {
  cause: 'answers_full',
  refusal: new Refusal('overloaded', {
    message: 'Too many answers that are kept whole are under way: stream a chat, or retry later.',
    retryAfterS: 1,
  }),
  fault: 'none',
};

/**
 * The failure when the arguments of calls are too long to be parsed. A stream has them as text. The
 * same request would most likely fail again, and its work would be free each time.
 */
const INPUTS_TOO_LONG: Failure = {
  cause: 'inputs_too_long',
  refusal: new Refusal('invalid_value', {
    param: 'stream',
    message: 'The inputs of the tools are too long for an answer that is not streamed: stream it.',
  }),
  fault: 'none',
};
