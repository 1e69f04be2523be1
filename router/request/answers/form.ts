/**
 * A public form of answers: what the router writes around the deltas of a worker. There is one for each way to ask.
 * All that is the same for every delta of an answer is made once, when the answer begins.
 */
import type { Finished } from '../../../shared/wire/messages.ts';
import type { Delta } from '../../fleet/stream.ts';
import type { ShownUsage } from './usage.ts';

/** What the objects of one answer have in common. */
export type Heading = Readonly<{
  completionId: string;
  /** Unix time in seconds. */
  created: number;
  model: string;
  /** Names the engine's build; null: it is not known. */
  fingerprint: string | null;
}>;

/** How an answer ended, as its client is told. */
export type Ending = Readonly<{ finish: Finished['finish']; usage: ShownUsage }>;

/** Where events go. `text` is only lent. */
export interface Sink {
  writeEvent(head: Buffer, text: Buffer, tail: Buffer): void;
}

/** Writes one streamed answer. */
export interface Events {
  /** Hot path. Writes a delta. */
  add(delta: Delta): void;
  /** What is left to write once the answer has been charged; the usage only if the client asked for it. */
  end(ending: Ending, includeUsage: boolean): string;
}

export type GatheredCall = Readonly<{ id: Buffer; name: Buffer; arguments: readonly Buffer[] }>;

/** The deltas of one answer that is not streamed: text as it came, escaped. */
export type Gathered = Readonly<{
  content: readonly Buffer[];
  reasoning: readonly Buffer[];
  calls: readonly GatheredCall[];
}>;

export interface Form {
  events(heading: Heading, sink: Sink): Events;
  /** A whole answer, in pieces. */
  whole(heading: Heading, gathered: Gathered, ending: Ending): (Buffer | string)[];
}

/** The members that every object of an answer begins with, without the closing brace. */
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
