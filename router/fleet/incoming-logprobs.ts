/** Checks the log probabilities that a host sends for one answer, which has requested them. */
import { FrameError } from '../../shared/wire/frames.ts';
import { type TokenLogprob, unpackLogprobs } from '../../shared/wire/logprobs.ts';

export class IncomingLogprobs {
  readonly #top: number;
  /** Bytes of the answer's text as it is escaped, and of the tokens that were sent as its parts. */
  #textBytes = 0;
  #tokenBytes = 0;
  #tokens = 0;

  /** `top`: how many alternatives to each token were requested. */
  constructor(top: number) {
    this.#top = top;
  }

  /** Text of the answer was sent. */
  text(bytes: number): void {
    this.#textBytes += bytes;
  }

  /**
   * Reads a record. There are at most as many tokens as were granted. They have, in all, at
   * most as many bytes as the escaped text. The router does not check that they spell this text.
   */
  read(record: Buffer, granted: number): { logprobs: readonly TokenLogprob[]; text: Buffer } {
    const read = unpackLogprobs(record);
    if (read === null) throw new FrameError('log probabilities are malformed');
    const { tokens, text } = read;
    this.#textBytes += text.length;
    this.#tokens += tokens.length;
    for (const { bytes, top_logprobs: others } of tokens) {
      this.#tokenBytes += bytes.length;
      if (others.length > this.#top) throw new FrameError('a token has too many alternatives');
    }
    if (this.#tokens > granted) throw new FrameError('log probabilities exceed the token grant');
    if (this.#tokenBytes > this.#textBytes) {
      throw new FrameError('log probabilities of text that was not sent');
    }
    return { logprobs: tokens, text };
  }
}
