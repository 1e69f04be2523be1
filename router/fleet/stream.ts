/** One attempt of one request on the link, as its request sees it and as its session keeps it. */
import type { End, Grant } from '../../shared/wire/messages.ts';

/**
 * A piece of an answer. Its text is escaped as in a JSON string, and was checked to be that: it may stand between
 * quotes as it is. The bytes are only lent.
 */
export type Delta =
  | Readonly<{ kind: 'content' | 'reasoning'; text: Buffer }>
  /** The first of its index, which are 0, 1, 2 and so on. */
  | Readonly<{ kind: 'call'; index: number; id: Buffer; name: Buffer }>
  /** More of the arguments of a call that has begun. */
  | Readonly<{ kind: 'arguments'; index: number; text: Buffer }>;

/** A delta to keep, whose bytes are its own. */
export function copyOf(delta: Delta): Delta {
  return delta.kind === 'call'
    ? { ...delta, id: Buffer.from(delta.id), name: Buffer.from(delta.name) }
    : { ...delta, text: Buffer.from(delta.text) };
}

/** What becomes of an attempt: exactly one of `ended`, `refused` and `lost` comes, once. */
export interface StreamEvents {
  /** A piece for the client, the counts up to and including it, and what it costs of the byte grant. */
  delta(promptTokens: number, completionTokens: number, delta: Delta, cost: number): void;
  /** The counts so far alone. Those that have not grown say that the answer waits for a larger grant. */
  counts(promptTokens: number, completionTokens: number): void;
  ended(promptTokens: number, completionTokens: number, end: End): void;
  /** The agent did not take it: the engine has not seen the request. */
  refused(): void;
  /** The link is gone, or the agent broke its rules. */
  lost(): void;
}

/** What a request does with its attempt. After the end, all of it does nothing. */
export interface Stream {
  grant(grant: Grant): void;
  /** Stops the engine; `ended` with `cancelled` follows unless the link is lost. */
  cancel(): void;
  /** Forgets the attempt: cancels it if it runs, and whatever still comes of it is ignored. */
  drop(): void;
}
