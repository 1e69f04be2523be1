/**
 * A response encoder adds what the router writes around the deltas of a worker. Each endpoint has
 * one, for its response format. Everything that is the same for all deltas of an answer is built
 * once, when the answer begins.
 */
import type { Lease } from '../../../shared/bounds/budget.ts';
import type { Finished } from '../../../shared/wire/end.ts';
import type { Delta } from '../../fleet/stream.ts';
import type { Failure } from '../failure.ts';
import type { ResponseSettings } from '../reading/translate/chat-draft.ts';
import type { Pieces } from '../reply.ts';
import type { LogprobLists } from './logprobs.ts';
import type { ShownUsage } from './usage.ts';

/** The fields that all objects of one answer share. */
export type Heading = Readonly<{
  completionId: string;
  /** Unix time in seconds. */
  created: number;
  model: string;
  /** Identifies the engine's build. Null when it is unknown. */
  fingerprint: string | null;
  /** What the answer needs of its request. */
  settings: ResponseSettings | null;
}>;

/** How an answer ended, as reported to its client. */
export type Ending = Readonly<{
  finish: Finished['finish'];
  /** The stop sequence that ended the answer. Null when there was none, or the engine is silent. */
  stopSequence: string | null;
  usage: ShownUsage;
  /** When it was charged: Unix time in seconds. */
  completed: number;
}>;

export interface Sink {
  /** The buffers are valid only during the call. */
  writeEvent(head: Buffer, text: Buffer, tail: Buffer): void;
  /** Writes events that repeat text. The pieces must not change until the response closes. */
  writePieces(pieces: Pieces): void;
}

/** What a streamed answer is written with. */
export type EventsParts = Readonly<{
  heading: Heading;
  sink: Sink;
  /** The memory of text that the format repeats later. */
  lease: Lease;
  /** Tokens of the prompt, as counted by now. */
  promptTokens: number;
  /** The format of the log probabilities. Null when none are requested. */
  logprobs: LogprobLists | null;
}>;

/** Writes one streamed answer. */
export interface Events {
  /** Whether deltas are kept to be written at the end. Absent where none ever are. */
  readonly isHolding?: boolean;
  /**
   * Hot path. Writes a delta. Returns a failure when there is no memory for it; nothing of it is
   * written then.
   */
  add(delta: Delta): Failure | null;
  /**
   * Returns the rest of the stream, to be written after the charge. Where the format leaves the
   * usage to the client, it is included only if the client asked for it.
   */
  end(ending: Ending, includeUsage: boolean): Pieces;
}

export type GatheredCall = Readonly<{ id: Buffer; name: Buffer; arguments: readonly Buffer[] }>;

/** The deltas of one unstreamed answer. All text is still escaped as in JSON. */
export type Gathered = Readonly<{
  content: readonly Buffer[];
  reasoning: readonly Buffer[];
  calls: readonly GatheredCall[];
  /** Null when there are none. */
  logprobs: Pieces | null;
}>;

export interface ResponseEncoder {
  /** Whether the arguments of calls are objects in a whole answer. Absent where they are text. */
  readonly parsesArguments?: boolean;
  /** Creates the format of log probabilities. Absent where the API has none. */
  logprobs?(): LogprobLists;
  events(parts: EventsParts): Events;
  /** The whole response body. */
  whole(heading: Heading, gathered: Gathered, ending: Ending): Pieces;
}

/** Serializes the members that every object of an answer begins with, without a closing brace. */
export function headOf(heading: Heading, object: string): string {
  const { completionId: id, created, model, fingerprint } = heading;
  return JSON.stringify({
    id,
    object,
    created,
    model,
    ...(fingerprint !== null && { system_fingerprint: fingerprint }),
  }).slice(0, -1);
}

/** The start of an event that has a name, up to its members. */
export function eventStart(type: string): string {
  return `event: ${type}\ndata: {"type":"${type}",`;
}
