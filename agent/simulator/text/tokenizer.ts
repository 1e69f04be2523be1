/**
 * The tokenizer of the simulator: deterministic, about four characters per token in English, and
 * one pass over a text of any length. A token is a word with the space before it (long words in
 * pieces), a few digits, a run of punctuation or of white space, or one character of a script that
 * is written without spaces. The end of a token does not depend on the text before it. The pieces
 * of an answer are therefore the same tokens when the answer comes back as part of the next prompt,
 * and conversations find their prefix in the cache, as they do on a real engine.
 *
 * Hot path: a prompt may have a million tokens.
 */

const WORD_CHARS_MAX = 7;
const DIGITS_MAX = 3;
const MARKS_MAX = 2;
const BLANKS_MAX = 8;

/** Smaller ids are markers of the chat template, which no text can produce. */
export const FIRST_TEXT_TOKEN = 64;
export const VOCABULARY_TOKENS = 131_072;

const SPACE = 0x20;
const CLASS = { word: 0, digit: 1, mark: 2, blank: 3, lone: 4, pair: 5 } as const;
type Class = (typeof CLASS)[keyof typeof CLASS];

const ASCII_CLASS = Uint8Array.from({ length: 128 }, (_, code): Class => {
  const char = String.fromCharCode(code);
  if (/[A-Za-z]/.test(char)) return CLASS.word;
  if (/[0-9]/.test(char)) return CLASS.digit;
  return code <= SPACE || code === 0x7f ? CLASS.blank : CLASS.mark;
});

const LENGTH_MAX: readonly number[] = [WORD_CHARS_MAX, DIGITS_MAX, MARKS_MAX, BLANKS_MAX, 1, 2];

function classOf(code: number): number {
  if (code < 128) return ASCII_CLASS[code] ?? CLASS.mark;
  if (code >= 0xd800 && code < 0xe000) return CLASS.pair;
  if (code >= 0x2e80 && code < 0xfff0) return CLASS.lone;
  // General punctuation, arrows, symbols and dingbats; every other letter is part of a word.
  return code >= 0x2000 ? CLASS.mark : CLASS.word;
}

/** Returns the end of the token that starts at `from`. */
function tokenEnd(text: string, from: number): number {
  let at = from;
  if (text.charCodeAt(at) === SPACE && at + 1 < text.length) {
    if (classOf(text.charCodeAt(at + 1)) !== CLASS.blank) at++;
  }
  const kind = classOf(text.charCodeAt(at));
  // A surrogate pair is not split. Half of a pair, which JSON can carry, is a token of its own.
  if (kind === CLASS.pair) return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  const end = Math.min(text.length, at + (LENGTH_MAX[kind] ?? 1));
  at++;
  while (at < end && classOf(text.charCodeAt(at)) === kind) at++;
  // The last of several spaces belongs to the word after them.
  const spaces = kind === CLASS.blank && at - from > 1 && text.charCodeAt(at - 1) === SPACE;
  if (spaces && at < text.length && classOf(text.charCodeAt(at)) !== CLASS.blank) at--;
  return at;
}

/** Returns the id of the token from `from` to `end`: FNV-1a, mixed, within the vocabulary. */
export function tokenId(text: string, from = 0, end = text.length): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return FIRST_TEXT_TOKEN + ((hash >>> 0) % (VOCABULARY_TOKENS - FIRST_TEXT_TOKEN));
}

/** Splits a text into its tokens. Joined, they are the text. */
export function splitTokens(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = tokenEnd(text, at);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

/** A growing list of token ids. Its array doubles, so that a long prompt is rarely copied. */
export class TokenList {
  #tokens = new Int32Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(id: number): void {
    if (this.#length === this.#tokens.length) {
      const larger = new Int32Array(this.#length * 2);
      larger.set(this.#tokens);
      this.#tokens = larger;
    }
    this.#tokens[this.#length++] = id;
  }

  text(text: string): void {
    for (let at = 0; at < text.length; ) {
      const end = tokenEnd(text, at);
      this.push(tokenId(text, at, end));
      at = end;
    }
  }

  toArray(): Int32Array {
    return this.#tokens.slice(0, this.#length);
  }
}

export function encodeText(text: string): Int32Array {
  const tokens = new TokenList();
  tokens.text(text);
  return tokens.toArray();
}
