/**
 * The answer of an engine without a reasoning parser. The template has opened the reasoning in the
 * prompt, so it comes as text up to the tag that ends it.
 */
import type { Reply } from '../answer/completion.ts';
import type { TokenKind } from '../answer/script.ts';
import type { Ending } from './chunks.ts';
import type { EngineError } from './errors.ts';

export class UnparsedReply implements Reply {
  readonly #reply: Reply;
  #isThinking = false;

  constructor(reply: Reply) {
    this.#reply = reply;
  }

  token(kind: TokenKind, text: string): void {
    this.#reply.token(...this.#unparsed(kind, text));
  }

  finish(kind: TokenKind, text: string, ending: Ending): void {
    this.#reply.finish(...this.#unparsed(kind, text), ending);
  }

  fail(error: EngineError): void {
    this.#reply.fail(error);
  }

  #unparsed(kind: TokenKind, text: string): [TokenKind, string] {
    if (kind === 'reasoning') {
      this.#isThinking = true;
      return ['content', text];
    }
    // The silent token after the reasoning is its tag.
    if (!this.#isThinking || kind !== 'silent') return [kind, text];
    this.#isThinking = false;
    return ['content', `</think>${text}`];
  }
}
