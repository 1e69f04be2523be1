/**
 * The interface with which both kinds of completion encode their chunks. Events are concatenated as
 * text, around parts that stay the same for a whole answer, because a hundred thousand events are
 * encoded per second.
 */
import type { TokenKind } from '../answer/script.ts';

export interface Head {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  /** Whether usage has an event of its own, which then carries the fingerprint. */
  readonly includeUsage: boolean;
}

/** `abort`: the request was stopped from outside. Only some engines report it to the client. */
export type FinishReason = 'stop' | 'length' | 'abort';

export interface Ending {
  readonly reason: FinishReason;
  /** The stop string that ended the answer, or null. */
  readonly stop: string | null;
}

/** The collected parts of a whole answer. */
export interface Transcript {
  content: string;
  reasoning: string;
  readonly calls: { name: string; arguments: string }[];
}

/** Encodes the chunks of an answer. `counts` are JSON members from a `UsageEncoder`, or ''. */
export interface Chunks {
  /** Returns what comes before the first token's delta, which may be ''. */
  opening(counts: string): string;
  delta(kind: TokenKind, text: string, counts: string): string;
  finish(kind: TokenKind, text: string, ending: Ending, counts: string): string;
  /** Returns the event that has nothing but counts. */
  usage(counts: string): string;
  /**
   * Returns the body of an answer that is not streamed. If `ending` is null, finish_reason is null.
   */
  whole(transcript: Transcript, ending: Ending | null, counts: string): string;
}

/** Returns the members with which every event of an answer begins on vLLM and SGLang. */
export function headOf(object: string, { id, created, model }: Head): string {
  const [idJson, modelJson] = [JSON.stringify(id), JSON.stringify(model)];
  return `{"id":${idJson},"object":"${object}","created":${created},"model":${modelJson}`;
}

/** Returns the finish_reason of a chat. `called`: its answer has calls of tools. */
export function reasonOf({ reason }: Ending, called: boolean): string {
  return reason === 'stop' && called ? 'tool_calls' : reason;
}

export function event(json: string): string {
  return `data: ${json}\n\n`;
}

export const DONE = 'data: [DONE]\n\n';
