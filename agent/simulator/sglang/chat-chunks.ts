/** Chat completions as SGLang writes them: `reasoning_content`, and every null serialized. */
import type { TokenKind } from '../answer/script.ts';
import {
  type Chunks,
  type Ending,
  event,
  type Head,
  headOf,
  reasonOf,
  type Transcript,
} from '../wire/chunks.ts';
import { matchedStop } from './matched-stop.ts';

const NO_DELTA = { role: null, content: null, reasoning_content: null, tool_calls: null };

export class SglangChatChunks implements Chunks {
  readonly #mintCallId: () => string;
  readonly #begin: string;
  #calls = 0;

  constructor(head: Head, mintCallId: () => string) {
    this.#mintCallId = mintCallId;
    this.#begin = headOf('chat.completion.chunk', head);
  }

  /** The opening chunk never has usage, not even where every other chunk does. */
  opening(): string {
    return this.#chunk(JSON.stringify({ ...NO_DELTA, role: 'assistant', content: '' }), null, '');
  }

  delta(kind: TokenKind, text: string, counts: string): string {
    return kind === 'silent' ? '' : this.#chunk(this.#delta(kind, text), null, counts);
  }

  /** The last text is sent before the finish chunk, in a chunk of its own. */
  finish(kind: TokenKind, text: string, ending: Ending, counts: string): string {
    return this.delta(kind, text, counts) + this.#chunk(JSON.stringify(NO_DELTA), ending, '');
  }

  usage(counts: string): string {
    return event(`${this.#begin},"choices":[]${counts}}`);
  }

  whole(transcript: Transcript, ending: Ending | null, counts: string): string {
    const { content, reasoning, calls } = transcript;
    const message = {
      role: 'assistant',
      content,
      reasoning_content: reasoning === '' ? null : reasoning,
      tool_calls:
        calls.length === 0
          ? null
          : calls.map((call, index) => ({
              id: this.#mintCallId(),
              index,
              type: 'function',
              function: call,
            })),
    };
    const choice = {
      index: 0,
      message,
      logprobs: null,
      finish_reason: ending && reasonOf(ending, calls.length > 0),
      matched_stop: ending && matchedStop(ending, calls.length > 0),
    };
    const head = this.#begin.replace('"chat.completion.chunk"', '"chat.completion"');
    return `${head},"choices":[${JSON.stringify(choice)}]${counts},"metadata":{"weight_version":"default"}}`;
  }

  #chunk(delta: string, ending: Ending | null, counts: string): string {
    const called = this.#calls > 0;
    const reason = JSON.stringify(ending && reasonOf(ending, called));
    const stop = JSON.stringify(ending && matchedStop(ending, called));
    return (
      `data: ${this.#begin},"choices":[{"index":0,"delta":${delta},"logprobs":null,` +
      `"finish_reason":${reason},"matched_stop":${stop}}]${counts === '' ? ',"usage":null' : counts}}\n\n`
    );
  }

  #delta(kind: Exclude<TokenKind, 'silent'>, text: string): string {
    switch (kind) {
      case 'content':
        return `{"role":null,"content":${JSON.stringify(text)},"reasoning_content":null,"tool_calls":null}`;
      case 'reasoning':
        return `{"role":null,"content":null,"reasoning_content":${JSON.stringify(text)},"tool_calls":null}`;
      case 'tool_name': {
        const index = this.#calls++;
        return callDelta({
          id: this.#mintCallId(),
          index,
          function: { name: text, arguments: '' },
        });
      }
      case 'tool_arguments':
        return callDelta({
          id: null,
          index: this.#calls - 1,
          function: { name: null, arguments: text },
        });
      default:
        return kind satisfies never;
    }
  }
}

function callDelta(call: {
  id: string | null;
  index: number;
  function: { name: string | null; arguments: string };
}): string {
  return JSON.stringify({ ...NO_DELTA, tool_calls: [{ ...call, type: 'function' }] });
}
