/** An answer that is not streamed. A fatal fault before its end is a 500 or a broken connection. */
import type { ServerResponse } from 'node:http';
import type { FinishReason, Reply } from '../answer/completion.ts';
import type { TokenKind } from '../answer/script.ts';
import { ENGINE_DIED, fatalFault } from '../faults/misbehave.ts';
import type { Transcript } from './chunks.ts';
import { serverError } from './errors.ts';
import type { ReplyParts } from './event-reply.ts';
import { figuresOf } from './figures.ts';
import { sendJson } from './send.ts';

export class WholeReply implements Reply {
  readonly #parts: ReplyParts;
  readonly #response: ServerResponse;
  readonly #transcript: Transcript = { content: '', reasoning: '', calls: [] };

  constructor(parts: ReplyParts, response: ServerResponse) {
    this.#parts = parts;
    this.#response = response;
  }

  token(kind: TokenKind, text: string): void {
    this.#add(kind, text);
    const { sabotage, counts, abandon, die, errorBody } = this.#parts;
    const fault = fatalFault(sabotage, counts.completion);
    if (!fault || !sabotage.faults) return;
    abandon();
    if (fault === 'death') die(sabotage.faults);
    else if (fault === 'error_event') {
      sendJson(this.#response, 500, errorBody(serverError(ENGINE_DIED)));
    } else if (fault === 'reset') this.#response.socket?.resetAndDestroy();
    else this.#response.destroy();
  }

  finish(kind: TokenKind, text: string, reason: FinishReason, stop: string | null): void {
    this.#add(kind, text);
    const { counts, chunks, sabotage, usageEncoder } = this.#parts;
    const at = counts.completion;
    const giant = sabotage.due('giant_chunk', at);
    if (giant) this.#transcript.content += ' big'.repeat(Math.ceil(giant.bytes / 4));
    const told = sabotage.due('no_usage', at)
      ? ''
      : usageEncoder.last(figuresOf(counts, sabotage.due('wrong_usage', at)));
    const ending = sabotage.due('no_finish', at) ? null : { reason, stop };
    const body = chunks.whole(this.#transcript, ending, told);
    sendJson(this.#response, 200, sabotage.due('bad_json', at) ? body.slice(0, -10) : body);
  }

  #add(kind: TokenKind, text: string): void {
    const { calls } = this.#transcript;
    switch (kind) {
      case 'content':
        this.#transcript.content += text;
        return;
      case 'reasoning':
        this.#transcript.reasoning += text;
        return;
      case 'tool_name':
        calls.push({ name: text, arguments: '' });
        return;
      case 'tool_arguments': {
        const call = calls.at(-1);
        if (call) call.arguments += text;
        return;
      }
      case 'silent':
        return;
      default:
        kind satisfies never;
    }
  }
}
