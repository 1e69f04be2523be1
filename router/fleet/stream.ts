/** One attempt of a request on a link: the interfaces between the request and its session. */
import type { End } from '../../shared/wire/end.ts';
import type { TokenLogprob } from '../../shared/wire/logprobs.ts';
import type { Grant, RefusedReason } from '../../shared/wire/messages.ts';

/**
 * A piece of an answer. Its text has been checked to be escaped as in a JSON string, so it can be
 * written between quotes as it is. The buffers are valid only during the call.
 */
export type Delta =
  | Content
  | Readonly<{ kind: 'reasoning'; text: Buffer }>
  /** The start of a tool call. Calls of one answer have the indexes 0, 1, 2 and so on. */
  | Readonly<{ kind: 'call'; index: number; id: Buffer; name: Buffer }>
  /** More arguments of a tool call that has started. */
  | Readonly<{ kind: 'arguments'; index: number; text: Buffer }>;

/**
 * Text of the answer, with the log probabilities of tokens if they are requested. It is empty only
 * where these are of tokens whose text came before.
 */
export type Content = Readonly<{
  kind: 'content';
  text: Buffer;
  logprobs?: readonly TokenLogprob[];
}>;

/** A copy of a delta with its own buffers. */
export function copyOf(delta: Delta): Delta {
  return delta.kind === 'call'
    ? { ...delta, id: Buffer.from(delta.id), name: Buffer.from(delta.name) }
    : { ...delta, text: Buffer.from(delta.text) };
}

/** The events of an attempt. The last is exactly one of `ended`, `refused` and `lost`. */
export interface StreamEvents {
  /**
   * A piece for the client, the token counts including it, and its cost in the byte grant.
   * `textBytes`: the bytes of the record that a host may bill as text.
   */
  delta(
    promptTokens: number,
    completionTokens: number,
    delta: Delta,
    cost: number,
    textBytes: number,
  ): void;
  /** Token counts alone. Counts that have not grown mean that the answer waits for a grant. */
  counts(promptTokens: number, completionTokens: number): void;
  ended(promptTokens: number, completionTokens: number, end: End): void;
  /** The agent refused the attempt. The engine has not seen the request. */
  refused(): void;
  /** The link closed, or the agent broke the protocol. */
  lost(): void;
}

/** How a request controls its attempt. After the attempt has ended, all methods do nothing. */
export interface Stream {
  grant(grant: Grant): void;
  /** Stops the engine. `ended` with `cancelled` follows unless the link is lost. */
  cancel(): void;
  /** Cancels the attempt if it runs, and ignores all later events. */
  drop(): void;
}

/** The worker that a stream is started on, as far as its session needs it. */
export interface StreamOwner {
  readonly name: string;
  /** Completion tokens that the worker has sent to this router. */
  completionTokens: number;
  /** The stream has ended. */
  free(): void;
  /** The engine reported that it is full. */
  filled(): void;
  /** The agent refused the stream. */
  refused(reason: RefusedReason): void;
}
