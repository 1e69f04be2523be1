/** Text completions as vLLM writes them. */
import type { TokenKind } from '../answer/script.ts';
import {
  type Chunks,
  type Ending,
  event,
  type Head,
  headOf,
  type Transcript,
} from '../wire/chunks.ts';
import type { Job } from '../wire/job.ts';
import { FINGERPRINT_MEMBER } from './fingerprint.ts';
import { textLogprobs } from './logprobs.ts';

export class TextChunks implements Chunks {
  readonly #head: Head;
  readonly #begin: string;
  readonly #top: number | null;
  /** Characters of the text so far. */
  #chars = 0;

  constructor(head: Head, job: Job) {
    this.#head = head;
    this.#top = job.sampling.logprobs;
    this.#begin = headOf('text_completion', head);
  }

  opening(): string {
    return '';
  }

  delta(_kind: TokenKind, text: string, counts: string): string {
    return this.#chunk(text, '"finish_reason":null,"stop_reason":null', counts);
  }

  finish(_kind: TokenKind, text: string, ending: Ending, counts: string): string {
    const why = `"finish_reason":"${ending.reason}","stop_reason":${JSON.stringify(ending.stop)}`;
    const fingerprint = this.#head.includeUsage ? '' : FINGERPRINT_MEMBER;
    return this.#chunk(text, why, counts + fingerprint);
  }

  usage(counts: string): string {
    return event(`${this.#begin},"choices":[]${counts}${FINGERPRINT_MEMBER}}`);
  }

  whole({ content }: Transcript, ending: Ending | null, counts: string): string {
    const choice = {
      index: 0,
      text: content,
      logprobs: this.#top === null ? null : JSON.parse(textLogprobs(content, this.#top, 0)),
      finish_reason: ending?.reason ?? null,
      stop_reason: ending?.stop ?? null,
      token_ids: null,
      prompt_logprobs: null,
      prompt_token_ids: null,
    };
    return (
      `${this.#begin},"choices":[${JSON.stringify(choice)}],"service_tier":null` +
      `${FINGERPRINT_MEMBER}${counts},"kv_transfer_params":null}`
    );
  }

  #chunk(text: string, why: string, rest: string): string {
    const begin = this.#chars;
    this.#chars += text.length;
    const logprobs = this.#top === null ? 'null' : textLogprobs(text, this.#top, begin);
    return (
      `data: ${this.#begin},"choices":[{"index":0,"text":${JSON.stringify(text)},` +
      `"logprobs":${logprobs},${why},"prompt_token_ids":null,"token_ids":null}]${rest}}\n\n`
    );
  }
}
