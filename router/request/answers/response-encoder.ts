/**
 * A response encoder adds what the router writes around the deltas of a worker. Each endpoint has
 * one, for its response format. Everything that is the same for all deltas of an answer is built
 * once, when the answer begins.
 */
import type { Finished } from '../../../shared/wire/messages.ts';
import type { Delta } from '../../fleet/stream.ts';
import type { ShownUsage } from './usage.ts';

/** The fields that all objects of one answer share. */
export type Heading = Readonly<{
  completionId: string;
  /** Unix time in seconds. */
  created: number;
  model: string;
  /** Identifies the engine's build. Null when it is unknown. */
  fingerprint: string | null;
}>;

/** How an answer ended, as reported to its client. */
export type Ending = Readonly<{ finish: Finished['finish']; usage: ShownUsage }>;

/** Receives events. `text` is valid only during the call. */
export interface Sink {
  writeEvent(head: Buffer, text: Buffer, tail: Buffer): void;
}

/** Writes one streamed answer. */
export interface Events {
  /** Hot path. Writes a delta. */
  add(delta: Delta): void;
  /**
   * Returns the rest of the stream, to be written after the charge. The usage is included only if
   * the client asked for it.
   */
  end(ending: Ending, includeUsage: boolean): string;
}

export type GatheredCall = Readonly<{ id: Buffer; name: Buffer; arguments: readonly Buffer[] }>;

/** The deltas of one unstreamed answer. All text is still escaped as in JSON. */
export type Gathered = Readonly<{
  content: readonly Buffer[];
  reasoning: readonly Buffer[];
  calls: readonly GatheredCall[];
}>;

export interface ResponseEncoder {
  events(heading: Heading, sink: Sink): Events;
  /** The whole response body, in pieces. */
  whole(heading: Heading, gathered: Gathered, ending: Ending): (Buffer | string)[];
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
