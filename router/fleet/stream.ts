/** One attempt of one request on the link, as its request sees it and as its session keeps it. */
import type { End, Grant } from '../../shared/wire/messages.ts';

/** What becomes of an attempt: exactly one of `ended`, `refused` and `lost` comes, once. */
export interface StreamEvents {
  /** Bytes for the client, and the counts up to and including them. The bytes are only lent. */
  content(promptTokens: number, completionTokens: number, bytes: Buffer): void;
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
