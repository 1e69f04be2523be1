/** Text completions as llama.cpp's server writes them. */
import type { TokenKind } from '../answer/script.ts';
import { type Chunks, type Ending, event, type Head, type Transcript } from '../wire/chunks.ts';
import { tailOf } from './tail.ts';

export class LlamaTextChunks implements Chunks {
  readonly #tail: string;

  constructor(head: Head) {
    this.#tail = tailOf('text_completion', head);
  }

  opening(): string {
    return '';
  }

  delta(_kind: TokenKind, text: string, counts: string): string {
    return event(this.#body(text, null, counts));
  }

  /** The last text is sent before the finish chunk, in a chunk of its own. */
  finish(kind: TokenKind, text: string, ending: Ending, counts: string): string {
    const before = text === '' ? '' : this.delta(kind, text, '');
    return before + event(this.#body('', ending, counts));
  }

  usage(counts: string): string {
    return event(`{"choices":[]${this.#tail}${counts}}`);
  }

  whole({ content }: Transcript, ending: Ending | null, counts: string): string {
    return this.#body(content, ending, counts);
  }

  #body(text: string, ending: Ending | null, counts: string): string {
    const choice = { text, index: 0, logprobs: null, finish_reason: ending?.reason ?? null };
    return `{"choices":[${JSON.stringify(choice)}]${this.#tail}${counts}}`;
  }
}
