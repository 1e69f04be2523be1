/** Text completions as SGLang writes them. */
import type { TokenKind } from '../answer/script.ts';
import {
  type Chunks,
  type Ending,
  event,
  type Head,
  headOf,
  type Transcript,
} from '../wire/chunks.ts';
import { matchedStop } from './matched-stop.ts';

export class SglangTextChunks implements Chunks {
  readonly #begin: string;

  constructor(head: Head) {
    this.#begin = headOf('text_completion', head);
  }

  opening(): string {
    return '';
  }

  delta(_kind: TokenKind, text: string, counts: string): string {
    return event(this.#body(text, null, counts));
  }

  /** Unlike a chat's finish chunk, this one carries the last text itself. */
  finish(_kind: TokenKind, text: string, ending: Ending, counts: string): string {
    return event(this.#body(text, ending, counts));
  }

  usage(counts: string): string {
    return event(`${this.#begin},"choices":[]${counts}}`);
  }

  whole({ content }: Transcript, ending: Ending | null, counts: string): string {
    return this.#body(content, ending, counts);
  }

  #body(text: string, ending: Ending | null, counts: string): string {
    const choice = {
      index: 0,
      text,
      logprobs: null,
      finish_reason: ending?.reason ?? null,
      matched_stop: ending && matchedStop(ending, false),
    };
    return `${this.#begin},"choices":[${JSON.stringify(choice)}]${counts === '' ? ',"usage":null' : counts}}`;
  }
}
