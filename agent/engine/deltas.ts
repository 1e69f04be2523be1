/** Hot path. What an engine's choices hold for the client, as deltas for the link. */
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

/** A record's bytes: the prefix, then the text, which is escaped. Only a call must not be cut. */
export type Delta = Readonly<{
  kind: (typeof KIND)['content' | 'reasoning' | 'call' | 'arguments'];
  prefix: Uint8Array;
  text: string;
}>;

const NONE: readonly Delta[] = [];
const NO_PREFIX = new Uint8Array();

export type DeltasParts = Readonly<{
  /** A chat; else a text completion, which is text alone. */
  isChat: boolean;
  /** Reasoning text is withheld. */
  strip: boolean;
  /** For the ids of calls that the engine gives none. */
  id: string;
}>;

export class Deltas {
  readonly #parts: DeltasParts;
  /** What stands before the arguments of each call, by the engine's index: on the link they count in order. */
  readonly #calls = new Map<number, Uint8Array>();

  constructor(parts: DeltasParts) {
    this.#parts = parts;
  }

  /** Whether the answer calls a tool. */
  get calledTool(): boolean {
    return this.#calls.size > 0;
  }

  /** The deltas of a choice, in order; null: a tool call of it is none that can be passed on. */
  of({ delta, text: written }: EngineChoice): readonly Delta[] | null {
    if (!this.#parts.isChat) {
      const plain = text(written);
      return plain === '' ? NONE : [content(plain)];
    }
    if (!delta) return NONE;
    const said = text(delta.content);
    const thought = this.#parts.strip ? '' : reasoningOf(delta);
    if (thought === '' && !delta.tool_calls) return said === '' ? NONE : [content(said)];
    const deltas: Delta[] = [];
    if (thought !== '') {
      deltas.push({ kind: KIND.reasoning, prefix: NO_PREFIX, text: escaped(thought) });
    }
    if (said !== '') deltas.push(content(said));
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

function content(said: string): Delta {
  return { kind: KIND.content, prefix: NO_PREFIX, text: escaped(said) };
}
