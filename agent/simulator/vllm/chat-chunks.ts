/** Chat completions as vLLM writes them, with its order of members, its nulls and its quirks. */
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
import type { Job } from '../wire/job.ts';
import { FINGERPRINT_MEMBER } from './fingerprint.ts';
import { chatLogprobs } from './logprobs.ts';

export type MintCallId = () => string;

export class ChatChunks implements Chunks {
  readonly #head: Head;
  readonly #job: Job;
  readonly #mintCallId: MintCallId;
  readonly #begin: string;
  /** The text of an ordinary chunk, up to its delta. */
  readonly #beginDelta: string;
  readonly #top: number | null;
  #calls = 0;

  constructor(head: Head, job: Job, mintCallId: MintCallId) {
    this.#head = head;
    this.#job = job;
    this.#mintCallId = mintCallId;
    this.#top = job.sampling.logprobs;
    this.#begin = headOf('chat.completion.chunk', head);
    this.#beginDelta = `data: ${this.#begin},"choices":[{"index":0,"delta":`;
  }

  opening(counts: string): string {
    const delta = '{"role":"assistant","content":""}';
    const rest = `"logprobs":null,"finish_reason":null}]${counts}`;
    return `${this.#beginDelta}${delta},${rest},"prompt_token_ids":null,"prompt_text":null}\n\n`;
  }

  delta(kind: TokenKind, text: string, counts: string): string {
    const rest = '"finish_reason":null,"token_ids":null}]';
    return `${this.#beginDelta}${this.#delta(kind, text)},${this.#logprobs(text)},${rest}${counts}}\n\n`;
  }

  finish(kind: TokenKind, text: string, ending: Ending, counts: string): string {
    const delta = kind === 'silent' ? this.#emptyDelta() : this.#delta(kind, text);
    const reason = this.#reason(ending, this.#calls > 0);
    const why = `"finish_reason":"${reason}","stop_reason":${JSON.stringify(ending.stop)}`;
    const fingerprint = this.#head.includeUsage ? '' : FINGERPRINT_MEMBER;
    return (
      `${this.#beginDelta}${delta},${this.#logprobs(text, true)},${why},"token_ids":null}]` +
      `${counts}${fingerprint}}\n\n`
    );
  }

  usage(counts: string): string {
    return event(`${this.#begin},"choices":[]${counts}${FINGERPRINT_MEMBER}}`);
  }

  whole(transcript: Transcript, ending: Ending | null, counts: string): string {
    const { calls, reasoning } = transcript;
    // The content is empty beside a forced call, and null beside a call that the model chose.
    const unsaid = calls.length > 0 && !this.#job.forcedTool ? null : '';
    const cutThinking = reasoning !== '' && calls.length === 0 ? null : unsaid;
    const message = {
      role: 'assistant',
      content: transcript.content === '' ? cutThinking : transcript.content,
      refusal: null,
      annotations: null,
      audio: null,
      function_call: null,
      ...(calls.length > 0 && { tool_calls: calls.map((call) => this.#call(call)) }),
      reasoning: reasoning === '' || this.#job.hideReasoning ? null : reasoning,
    };
    const reason = ending ? this.#reason(ending, calls.length > 0) : null;
    const choice = {
      index: 0,
      message,
      logprobs: this.#top === null ? null : JSON.parse(chatLogprobs(transcript.content, this.#top)),
      finish_reason: reason,
      stop_reason: ending?.stop ?? null,
      token_ids: null,
    };
    return (
      `${headOf('chat.completion', this.#head)},"choices":[${JSON.stringify(choice)}],` +
      `"service_tier":null${FINGERPRINT_MEMBER}${counts},` +
      '"prompt_logprobs":null,"prompt_token_ids":null,"prompt_text":null,"kv_transfer_params":null}'
    );
  }

  #logprobs(text: string, isLast = false): string {
    const top = this.#top;
    return `"logprobs":${top === null ? 'null' : chatLogprobs(text, top, isLast)}`;
  }

  #delta(kind: TokenKind, text: string): string {
    switch (kind) {
      case 'content':
        return `{"content":${JSON.stringify(text)}}`;
      case 'reasoning':
        return `{"reasoning":${JSON.stringify(text)}}`;
      case 'tool_name': {
        const call = { ...this.#call({ name: text, arguments: '' }), index: this.#calls++ };
        return JSON.stringify({ tool_calls: [call] });
      }
      case 'tool_arguments': {
        const call = { index: this.#calls - 1, function: { arguments: text } };
        return JSON.stringify({ tool_calls: [call] });
      }
      case 'silent':
        return this.#emptyDelta();
      default:
        return kind satisfies never;
    }
  }

  /** With a parser, an empty delta has no fields. Without one, it has an empty text. */
  #emptyDelta(): string {
    return this.#job.parsed ? '{}' : '{"content":""}';
  }

  #call(call: { name: string; arguments: string }): {
    id: string;
    type: 'function';
    function: { name: string; arguments: string };
  } {
    return { id: this.#mintCallId(), type: 'function', function: call };
  }

  /** `tool_calls` is for calls the model chose or had to choose; a named one ends with `stop`. */
  #reason(ending: Ending, called: boolean): string {
    return reasonOf(ending, called && !this.#job.namedTool);
  }
}
