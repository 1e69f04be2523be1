/** Hot path. Converts an engine's choices to the deltas that cross the link. */
import {
  CALL_ID_BYTES_MAX,
  CALL_NAME_BYTES_MAX,
  CALLS_MAX,
  packCall,
  packIndex,
} from '../../shared/wire/deltas.ts';
import { escaped } from '../../shared/wire/escaped.ts';
import { KIND } from '../../shared/wire/frames.ts';
import { count, type EngineChoice, reasoningOf, text } from './chunk.ts';
import { isObject } from './json.ts';

/**
 * One delta. The bytes of its record are the prefix and then the text, which is already escaped.
 * Any delta but `call` and `logprobs` may be split over several records.
 */
export type Delta = Readonly<{
  kind: (typeof KIND)['content' | 'reasoning' | 'call' | 'arguments' | 'logprobs'];
  prefix: Uint8Array;
  text: string;
}>;

const NONE: readonly Delta[] = [];
const NO_PREFIX = new Uint8Array();

export type DeltasParts = Readonly<{
  /** True for a chat. False for a text completion, which consists of text only. */
  isChat: boolean;
  /** Whether reasoning text is withheld from the client. */
  strip: boolean;
  /** Used for the ids of calls to which the engine gives no id. */
  id: string;
}>;

export class Deltas {
  readonly #parts: DeltasParts;
  /**
   * The record prefix for the arguments of each call, by the engine's index. On the link, calls are
   * numbered in the order in which they begin.
   */
  readonly #calls = new Map<number, Uint8Array>();

  constructor(parts: DeltasParts) {
    this.#parts = parts;
  }

  /** Whether the answer calls a tool. */
  get calledTool(): boolean {
    return this.#calls.size > 0;
  }

  /**
   * Returns the deltas of a choice, in order. Returns null when a tool call cannot be passed on: it
   * has no name, its id or name is too long, or there are too many calls.
   */
  of({ delta, text: completion }: EngineChoice): readonly Delta[] | null {
    if (!this.#parts.isChat) {
      const written = text(completion);
      return written === '' ? NONE : [content(written)];
    }
    if (!delta) return NONE;
    const written = text(delta.content);
    const reasoning = this.#parts.strip ? '' : reasoningOf(delta);
    if (reasoning === '' && !delta.tool_calls) return written === '' ? NONE : [content(written)];
    const deltas: Delta[] = [];
    if (reasoning !== '') {
      deltas.push({ kind: KIND.reasoning, prefix: NO_PREFIX, text: escaped(reasoning) });
    }
    if (written !== '') deltas.push(content(written));
    return this.#addCalls(deltas, delta.tool_calls) ? deltas : null;
  }

  #addCalls(deltas: Delta[], calls: unknown): boolean {
    if (!Array.isArray(calls)) return true;
    return calls.every((fragment) => !isObject(fragment) || this.#addCall(deltas, fragment));
  }

  #addCall(deltas: Delta[], fragment: Readonly<Record<string, unknown>>): boolean {
    const { index, id, function: called } = fragment;
    const { name, arguments: args } = isObject(called) ? called : {};
    const engineIndex = count(index) ?? 0;
    if (!this.#calls.has(engineIndex)) {
      const call = this.#begin(engineIndex, text(id), text(name));
      if (call === null) return false;
      deltas.push(call);
    }
    const more = text(args);
    const prefix = this.#calls.get(engineIndex) ?? NO_PREFIX;
    if (more !== '') deltas.push({ kind: KIND.arguments, prefix, text: escaped(more) });
    return true;
  }

  #begin(engineIndex: number, given: string, name: string): Delta | null {
    const index = this.#calls.size;
    const id = escaped(given === '' ? `call_${this.#parts.id}_${index}` : given);
    const called = escaped(name);
    const idBytes = Buffer.byteLength(id);
    const nameBytes = Buffer.byteLength(called);
    const fits = idBytes <= CALL_ID_BYTES_MAX && nameBytes <= CALL_NAME_BYTES_MAX;
    if (!fits || nameBytes === 0 || index >= CALLS_MAX) return null;
    this.#calls.set(engineIndex, packIndex(index));
    return { kind: KIND.call, prefix: packCall(index, idBytes), text: id + called };
  }
}

function content(written: string): Delta {
  return { kind: KIND.content, prefix: NO_PREFIX, text: escaped(written) };
}
