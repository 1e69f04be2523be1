/** Chat completions as llama.cpp's server writes them: choices first, no nulls in later deltas. */
import type { TokenKind } from '../answer/script.ts';
import {
  type Chunks,
  type Ending,
  event,
  type Head,
  reasonOf,
  type Transcript,
} from '../wire/chunks.ts';
import { tailOf } from './tail.ts';

export class LlamaChatChunks implements Chunks {
  readonly #head: Head;
  readonly #mintCallId: () => string;
  readonly #tail: string;
  #calls = 0;

  constructor(head: Head, mintCallId: () => string) {
    this.#head = head;
    this.#mintCallId = mintCallId;
    this.#tail = tailOf('chat.completion.chunk', head);
  }

  opening(counts: string): string {
    return this.#chunk('{"role":"assistant","content":null}', null, counts);
  }

  delta(kind: TokenKind, text: string, counts: string): string {
    return kind === 'silent' ? '' : this.#chunk(this.#delta(kind, text), null, counts);
  }

  /** The last text is sent before the finish chunk, in a chunk of its own. */
  finish(kind: TokenKind, text: string, ending: Ending, counts: string): string {
    return this.delta(kind, text, '') + this.#chunk('{}', ending, counts);
  }

  usage(counts: string): string {
    return event(`{"choices":[]${this.#tail}${counts}}`);
  }

  whole({ content, reasoning, calls }: Transcript, ending: Ending | null, counts: string): string {
    const message = {
      role: 'assistant',
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      content: content === '' && calls.length > 0 ? null : content,
      ...(calls.length > 0 && {
        tool_calls: calls.map((call) => ({
          type: 'function',
          function: call,
          id: this.#mintCallId(),
        })),
      }),
    };
    const reason = ending && reasonOf(ending, calls.length > 0);
    const choice = { finish_reason: reason, index: 0, message };
    const tail = tailOf('chat.completion', this.#head);
    return `{"choices":[${JSON.stringify(choice)}]${tail}${counts}}`;
  }

  #chunk(delta: string, ending: Ending | null, counts: string): string {
    const reason = JSON.stringify(ending && reasonOf(ending, this.#calls > 0));
    const choice = `{"finish_reason":${reason},"index":0,"delta":${delta}}`;
    return `data: {"choices":[${choice}]${this.#tail}${counts}}\n\n`;
  }

  #delta(kind: Exclude<TokenKind, 'silent'>, text: string): string {
    switch (kind) {
      case 'content':
        return `{"content":${JSON.stringify(text)}}`;
      case 'reasoning':
        return `{"reasoning_content":${JSON.stringify(text)}}`;
      case 'tool_name': {
        const call = { name: text, arguments: '' };
        const first = { index: this.#calls++, id: this.#mintCallId(), type: 'function' };
        return JSON.stringify({ tool_calls: [{ ...first, function: call }] });
      }
      case 'tool_arguments': {
        const more = { index: this.#calls - 1, function: { arguments: text } };
        return JSON.stringify({ tool_calls: [more] });
      }
      default:
        return kind satisfies never;
    }
  }
}
