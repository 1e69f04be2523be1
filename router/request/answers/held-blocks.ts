/**
 * Hot path. What follows the first tool call in a stream of the Messages API, under a lease. Its
 * blocks cannot overlap, and an engine may add arguments to a call when others have begun.
 */
import type { Lease } from '../../../shared/bounds/budget.ts';
import type { ChunkBuffer } from '../../../shared/bounds/chunk-buffer.ts';
import { limits } from '../../../shared/limits.ts';
import type { Delta } from '../../fleet/stream.ts';
import type { Failure } from '../failure.ts';
import {
  ANSWERS_FULL,
  ARGUMENTS_BYTES,
  CALL_OVERHEAD_BYTES,
  chunkBuffer,
  TEXTS_MAX,
} from './gather.ts';

type TextKind = 'content' | 'reasoning';

export type HeldBlock = Readonly<
  | { kind: TextKind; kept: ChunkBuffer }
  | { kind: 'call'; kept: ChunkBuffer; id: Buffer; name: Buffer }
>;

export class HeldBlocks {
  readonly all: HeldBlock[] = [];
  readonly #lease: Lease;
  readonly #calls = new Map<number, HeldBlock>();
  /** The blocks that text is added to: both only beyond `TEXTS_MAX`. */
  #open: Record<TextKind, HeldBlock | null> = { content: null, reasoning: null };
  #texts = 0;

  constructor(lease: Lease) {
    this.#lease = lease;
  }

  add(delta: Delta): Failure | null {
    switch (delta.kind) {
      case 'content':
      case 'reasoning':
        return this.#append(this.#open[delta.kind] ?? this.#text(delta.kind), delta.text);
      case 'call': {
        const { id, name, index } = delta;
        if (!this.#lease.take(CALL_OVERHEAD_BYTES + id.length + name.length)) return ANSWERS_FULL;
        const kept = chunkBuffer(this.#lease, ARGUMENTS_BYTES);
        const call = { kind: 'call', kept, id: Buffer.from(id), name: Buffer.from(name) } as const;
        this.#calls.set(index, call);
        this.#begin(call);
        return null;
      }
      case 'arguments':
        return this.#append(this.#calls.get(delta.index) as HeldBlock, delta.text);
    }
  }

  #append({ kept }: HeldBlock, text: Buffer): Failure | null {
    if (kept.add(text) !== 'kept' || this.#lease.bytes > limits.answerBytesMax) return ANSWERS_FULL;
    return null;
  }

  #text(kind: TextKind): HeldBlock {
    const block = { kind, kept: chunkBuffer(this.#lease) };
    this.#begin(block);
    this.#open[kind] = block;
    this.#texts += 1;
    return block;
  }

  #begin(block: HeldBlock): void {
    if (this.#texts < TEXTS_MAX) this.#open = { content: null, reasoning: null };
    this.all.push(block);
  }
}
