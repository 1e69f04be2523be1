/**
 * What both kinds of completion have to be able to write. Events are put together as text, around
 * parts that stay the same for a whole answer: they are written a hundred thousand times a second.
 */
import type { FinishReason } from '../answer/completion.ts';
import type { TokenKind } from '../answer/script.ts';

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

/** `counts` are members as a Tell gives them, or ''. */
export interface Chunks {
  /** What comes before the first token's delta; may be ''. */
  opening(counts: string): string;
  delta(kind: TokenKind, text: string, counts: string): string;
  finish(kind: TokenKind, text: string, ending: Ending, counts: string): string;
  /** The event that has nothing but counts. */
  usage(counts: string): string;
  /** The body of an answer that is not streamed; `ending` null leaves finish_reason null. */
  whole(transcript: Transcript, ending: Ending | null, counts: string): string;
}

/** The members that every event of an answer begins with on vLLM and SGLang. */
export function headOf(object: string, { id, created, model }: Head): string {
  const [idJson, modelJson] = [JSON.stringify(id), JSON.stringify(model)];
  return `{"id":${idJson},"object":"${object}","created":${created},"model":${modelJson}`;
}

export function event(json: string): string {
  return `data: ${json}\n\n`;
}

export const DONE = 'data: [DONE]\n\n';
