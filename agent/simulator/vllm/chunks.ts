/**
 * What both kinds of completion have to be able to write. Events are put together as text, around
 * parts that stay the same for a whole answer: they are written a hundred thousand times a second.
 */
import type { FinishReason } from '../answer/completion.ts';
import type { TokenKind } from '../answer/script.ts';

/** Names this build, as vLLM's `system_fingerprint` does. */
export const FINGERPRINT = 'penstock-sim-1';

export interface Head {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  /** The usage has its own event, which then carries the fingerprint. */
  readonly includeUsage: boolean;
}

export interface Ending {
  readonly reason: FinishReason;
  /** The stop string that ended it. */
  readonly stop: string | null;
}

/** A whole answer's parts, as collected. */
export interface Transcript {
  content: string;
  reasoning: string;
  readonly calls: { name: string; arguments: string }[];
}

/** `usage` is JSON text or ''. */
export interface Chunks {
  /** What comes before the first token's delta; may be ''. */
  opening(usage: string): string;
  delta(kind: TokenKind, text: string, usage: string): string;
  finish(kind: TokenKind, text: string, ending: Ending, usage: string): string;
  usage(usage: string): string;
  /** The body of an answer that is not streamed; `ending` null leaves finish_reason null. */
  whole(transcript: Transcript, ending: Ending | null, usage: string): string;
}

/** The members that every event of an answer begins with. */
export function headOf(object: string, { id, created, model }: Head): string {
  const [idJson, modelJson] = [JSON.stringify(id), JSON.stringify(model)];
  return `{"id":${idJson},"object":"${object}","created":${created},"model":${modelJson}`;
}

export function event(json: string): string {
  return `data: ${json}\n\n`;
}

export const DONE = 'data: [DONE]\n\n';

export function member(name: string, json: string): string {
  return json === '' ? '' : `,"${name}":${json}`;
}
