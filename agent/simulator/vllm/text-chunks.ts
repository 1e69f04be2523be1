/** Text completions as vLLM writes them. */
import type { TokenKind } from '../answer/script.ts';
import {
  type Chunks,
  type Ending,
  event,
  FINGERPRINT,
  type Head,
  headOf,
  member,
  type Transcript,
} from './chunks.ts';

export class TextChunks implements Chunks {
  readonly #head: Head;
  readonly #begin: string;

  constructor(head: Head) {
    this.#head = head;
    this.#begin = headOf('text_completion', head);
  }

  opening(): string {
    return '';
  }

  delta(_kind: TokenKind, text: string, usage: string): string {
    return this.#chunk(text, '"finish_reason":null,"stop_reason":null', member('usage', usage));
  }

  finish(_kind: TokenKind, text: string, ending: Ending, usage: string): string {
    const why = `"finish_reason":"${ending.reason}","stop_reason":${JSON.stringify(ending.stop)}`;
    const fingerprint = this.#head.includeUsage ? '' : JSON.stringify(FINGERPRINT);
    return this.#chunk(
      text,
      why,
      member('usage', usage) + member('system_fingerprint', fingerprint),
    );
  }

  usage(usage: string): string {
    const fingerprint = member('system_fingerprint', JSON.stringify(FINGERPRINT));
    return event(`${this.#begin},"choices":[]${member('usage', usage)}${fingerprint}}`);
  }

  whole({ content }: Transcript, ending: Ending | null, usage: string): string {
    const choice = {
      index: 0,
      text: content,
      logprobs: null,
      finish_reason: ending?.reason ?? null,
      stop_reason: ending?.stop ?? null,
      token_ids: null,
      prompt_logprobs: null,
      prompt_token_ids: null,
    };
    return (
      `${this.#begin},"choices":[${JSON.stringify(choice)}],"service_tier":null,` +
      `"system_fingerprint":"${FINGERPRINT}"${member('usage', usage)},"kv_transfer_params":null}`
    );
  }

  #chunk(text: string, why: string, rest: string): string {
    return (
      `data: ${this.#begin},"choices":[{"index":0,"text":${JSON.stringify(text)},"logprobs":null,` +
      `${why},"prompt_token_ids":null,"token_ids":null}]${rest}}\n\n`
    );
  }
}
