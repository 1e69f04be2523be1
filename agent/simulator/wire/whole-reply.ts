/** An answer that is not streamed. A fatal fault before its end is a 500 or a broken connection. */
import type { ServerResponse } from 'node:http';
import type { Reply } from '../answer/completion.ts';
import type { TokenKind } from '../answer/script.ts';
import { ENGINE_DIED, fatalFault } from '../faults/misbehave.ts';
import type { Ending, Transcript } from './chunks.ts';
import { type EngineError, serverError } from './errors.ts';
import { encodeUsage, type ReplyParts } from './reply.ts';
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
    const { sabotage, counts, abandon, die, dialect } = this.#parts;
    const fault = fatalFault(sabotage, counts.completion);
    if (!fault || !sabotage.faults) return;
    abandon();
    if (fault === 'death') die(sabotage.faults);
    else if (fault === 'error_event') {
      sendJson(this.#response, 500, dialect.errorBody(serverError(ENGINE_DIED)));
    } else if (fault === 'reset') this.#response.socket?.resetAndDestroy();
    else this.#response.destroy();
  }

  finish(kind: TokenKind, text: string, ending: Ending): void {
    this.#add(kind, text);
    const { counts, chunks, sabotage } = this.#parts;
    const at = counts.completion;
    const giant = sabotage.due('giant_chunk', at);
    if (giant) this.#transcript.content += ' big'.repeat(Math.ceil(giant.bytes / 4));
    const known = sabotage.due('no_finish', at) ? null : ending;
    const body = chunks.whole(this.#transcript, known, encodeUsage(this.#parts, 'last'));
    sendJson(this.#response, 200, sabotage.due('bad_json', at) ? body.slice(0, -10) : body);
  }

  fail(error: EngineError): void {
    sendJson(this.#response, error.status, this.#parts.dialect.errorBody(error));
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
