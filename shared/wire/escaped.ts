/**
 * Hot path. Text in the format that crosses the link: the inside of a JSON string, escaped, in
 * UTF-8 and without its quotes. The router writes it between bytes of its own. Text that passes
 * `isEscaped` can end neither the string nor the event around it.
 */
import { isUtf8 } from 'node:buffer';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** What may follow a backslash, besides `u`: `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));
const SPACE = 0x20;
const ZERO = 0x30;
const ONE = 0x31;
const BYTES_OF = { shortEscape: 2, unicodeEscape: 6 } as const;

/** Returns the text as it is written in a JSON string. A lone surrogate becomes U+FFFD. */
export function escaped(text: string): string {
  // JSON.stringify would write a lone surrogate as an escape, which not every client can read.
  return JSON.stringify(text.isWellFormed() ? text : text.toWellFormed()).slice(1, -1);
}

/**
 * Whether these bytes are the inside of one JSON string: valid UTF-8 with no unescaped quote, no
 * control character, and no incomplete or unknown escape. Only control characters may be written as
 * `\\u00XX`. Everything else must be UTF-8, for two reasons: the number of bytes then shows how
 * much text there is, and a lone surrogate, which some JSON parsers reject, cannot be sent.
 */
export function isEscaped(bytes: Uint8Array): boolean {
  let seen = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte < SPACE || byte === QUOTE) return false;
    seen |= byte;
    if (byte !== BACKSLASH) continue;
    const length = escapeLength(bytes, at);
    if (length === 0) return false;
    at += length - 1;
  }
  return seen < 0x80 || isUtf8(bytes);
}

/**
 * Returns the largest length up to `most` at which escaped text can be cut, not within an escape or
 * a character.
 */
export function cutEscaped(bytes: Uint8Array, most: number): number {
  if (bytes.length <= most) return bytes.length;
  let end = 0;
  for (;;) {
    const next = end + unitLength(bytes, end);
    if (next > most) return end;
    end = next;
  }
}

/** Returns the length of the escape or the character at `at`. The bytes must be escaped text. */
function unitLength(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] as number;
  if (byte === BACKSLASH) return escapeLength(bytes, at);
  if (byte < 0x80) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

/** Returns the length of the escape at `at`, or 0 if it is not allowed. */
function escapeLength(bytes: Uint8Array, at: number): number {
  const kind = bytes[at + 1];
  if (kind !== LETTER_U) {
    return kind !== undefined && SHORT_ESCAPES.has(kind) ? BYTES_OF.shortEscape : 0;
  }
  const isControl =
    bytes[at + 2] === ZERO &&
    bytes[at + 3] === ZERO &&
    (bytes[at + 4] === ZERO || bytes[at + 4] === ONE) &&
    isHexDigit(bytes[at + 5] ?? 0);
  return isControl ? BYTES_OF.unicodeEscape : 0;
}

function isHexDigit(byte: number): boolean {
  if (byte >= 0x30 && byte <= 0x39) return true;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66;
}
