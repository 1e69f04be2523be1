/**
 * An answer that is not streamed, kept until it is whole. Its text is copied into blocks under a lease, so that it
 * takes about the memory that its bytes are, however small the deltas are in which it comes.
 */
import { Budget, type Lease } from '../../../shared/bounds/budget.ts';
import { Gathering } from '../../../shared/bounds/gathering.ts';
import type { AgentId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { Refusal } from '../../../shared/refusals.ts';
import type { Delta } from '../../fleet/stream.ts';
import type { Gathered } from './form.ts';

/** A first block for the arguments of a call, which are short, and what else one keeps. */
const ARGUMENTS_BYTES = 256;
const CALL_OVERHEAD_BYTES = 512;

/** The memory of all answers that are not streamed, and of those of one agent. */
export function answerBudget(): Budget<AgentId> {
  return new Budget({
    totalBytesMax: limits.answersBytesMax,
    peerBytesMax: limits.answersPerAgentBytesMax,
  });
}

type Call = { id: Buffer; name: Buffer; arguments: Gathering };

export class Gatherer {
  readonly #lease: Lease;
  readonly #content: Gathering;
  readonly #reasoning: Gathering;
  readonly #calls: Call[] = [];

  constructor(lease: Lease) {
    this.#lease = lease;
    this.#content = gathering(lease);
    this.#reasoning = gathering(lease);
  }

  /** Hot path. Keeps a copy. False: there is no memory for it. */
  add(delta: Delta): boolean {
    switch (delta.kind) {
      case 'content':
        return this.#content.add(delta.text) === 'kept';
      case 'reasoning':
        return this.#reasoning.add(delta.text) === 'kept';
      case 'call': {
        const { id, name } = delta;
        if (!this.#lease.take(CALL_OVERHEAD_BYTES + id.length + name.length)) return false;
        const call = { id: Buffer.from(id), name: Buffer.from(name) };
        this.#calls.push({ ...call, arguments: gathering(this.#lease, ARGUMENTS_BYTES) });
        return true;
      }
      case 'arguments':
        return this.#calls[delta.index]?.arguments.add(delta.text) === 'kept';
    }
  }

  get gathered(): Gathered {
    return {
      content: this.#content.blocks(),
      reasoning: this.#reasoning.blocks(),
      calls: this.#calls.map((call) => ({ ...call, arguments: call.arguments.blocks() })),
    };
  }
}

/** How many pieces there may be is bounded by what each costs of the byte grant. */
function gathering(lease: Lease, expectedBytes = 0): Gathering {
  return new Gathering(lease, expectedBytes, Number.POSITIVE_INFINITY);
}

/** Too much is kept for others: the same request may succeed later, or streamed. */
export function outOfMemory(): Refusal {
  const message = 'Too many answers that are not streamed are under way: stream, or retry later.';
  return new Refusal('overloaded', { message, retryAfterS: 1 });
}
