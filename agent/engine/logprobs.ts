/**
 * The log probabilities of tokens in an answer whose request asks for them. Engines report those of
 * every token that they generate: of reasoning, of tool calls, of markers such as `</think>` and the
 * end of the answer, and of a stop sequence. Only tokens whose text was delivered as text of the
 * answer are passed on. Engines may hold text back, so a token may come before its text. Therefore
 * nothing tells the last tokens of reasoning from the first ones of the answer: routers send such
 * requests only without reasoning, and an answer that reasons all the same has no probabilities.
 */
import { KIND } from '../../shared/wire/frames.ts';
import { packLogprobs, type TokenLogprob } from '../../shared/wire/logprobs.ts';
import type { Open } from '../../shared/wire/messages.ts';
import { type EngineChoice, reasoningOf, text as textOf } from './chunk.ts';
import { type Delta, Deltas, type DeltasParts } from './deltas.ts';
import type { Fields } from './dialects/dialect.ts';
import { tokensOf } from './logprob-entries.ts';

/** The most tokens that wait for their text. More are not of the answer. */
export const WAITING_TOKENS_MAX = 1_024;
/** The most text that waits for its tokens, and that a record of them has, in bytes. */
export const WAITING_TEXT_MAX = 16 * 1024;
const BLANKS = /^[ \t\r\n]+/;

/** Returns the fields that request the probabilities. llama.cpp takes 0 alternatives as no request. */
export function logprobsFields(endpoint: Open['endpoint'], top: number): Fields {
  const most = Math.max(1, top);
  return endpoint === 'chat' ? { logprobs: true, top_logprobs: most } : { logprobs: most };
}

export class DeltasWithLogprobs extends Deltas {
  readonly #isChat: boolean;
  readonly #top: number;
  readonly #delivered = new DeliveredTokens();
  #hasReasoned = false;

  constructor(parts: DeltasParts, top: number) {
    super(parts);
    this.#isChat = parts.isChat;
    this.#top = top;
  }

  override of(choice: EngineChoice): readonly Delta[] | null {
    const deltas = super.of(choice);
    if (deltas === null) return null;
    const { delta, text: completion } = choice;
    if (this.#isChat && delta) {
      this.#hasReasoned ||= reasoningOf(delta) !== '';
      // The tokens of calls cannot be told apart.
      if (delta.tool_calls) this.#delivered.forget();
      if (this.#hasReasoned || delta.tool_calls) return deltas;
    }
    const text = textOf(this.#isChat ? delta?.content : completion);
    const tokens = this.#delivered.take(text, tokensOf(choice.logprobs, this.#top));
    if (tokens.length === 0) return deltas;
    const prefixes = packLogprobs(tokens);
    const written = deltas[0]?.text ?? '';
    const withLogprobs = (prefix: Buffer, own: string): Delta => {
      return { kind: KIND.logprobs, prefix, text: own };
    };
    const [only] = prefixes;
    const isShort = Buffer.byteLength(written) <= WAITING_TEXT_MAX;
    if (only && prefixes.length === 1 && isShort) return [withLogprobs(only, written)];
    // A long text may have to be split, so it goes first.
    return [...deltas, ...prefixes.map((prefix) => withLogprobs(prefix, ''))];
  }
}

/** Finds the tokens whose text was delivered. Texts are compared as bytes, a character for each. */
export class DeliveredTokens {
  /** Text that was delivered, of which no token is known yet. */
  #text = '';
  #waiting: TokenLogprob[] = [];

  /** Takes text of the answer and the tokens that came with it. */
  take(text: string, tokens: readonly TokenLogprob[]): TokenLogprob[] {
    const found: TokenLogprob[] = [];
    /** Tokens without text, which stand for the first bytes of a character. */
    let silent: TokenLogprob[] = [];
    this.#text += Buffer.from(text).toString('latin1');
    if (this.#text.length > WAITING_TEXT_MAX) this.forget();
    const waiting = [...this.#waiting, ...tokens];
    this.#waiting = [];
    for (const [at, token] of waiting.entries()) {
      const own = String.fromCharCode(...token.bytes);
      if (own === '') {
        silent.push(token);
        continue;
      }
      const rest = this.#restFor(own);
      if (rest?.startsWith(own)) {
        found.push(...silent, token);
        this.#text = rest.slice(own.length);
      } else if (rest !== null) {
        this.#waiting = [...silent, ...waiting.slice(at)];
        if (this.#waiting.length > WAITING_TOKENS_MAX) this.#waiting = [];
        return found;
      }
      silent = [];
    }
    this.#waiting = silent.slice(-WAITING_TOKENS_MAX);
    // Tokens never come after their text.
    this.#text = '';
    return found;
  }

  forget(): void {
    this.#text = '';
    this.#waiting = [];
  }

  /**
   * Returns the rest of the text if it begins with a token, or as far as it goes. Null when the text
   * is not of this token. Some tokenizers show tokens without the blank before them.
   */
  #restFor(own: string): string | null {
    const fits = (rest: string) => rest.startsWith(own) || own.startsWith(rest);
    if (fits(this.#text)) return this.#text;
    const rest = this.#text.replace(BLANKS, '');
    return fits(rest) ? rest : null;
  }
}
