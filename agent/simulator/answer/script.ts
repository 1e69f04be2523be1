/** The answer of the simulated model as a sequence of tokens. */
import { MARKER } from '../text/chat-template.ts';
import type { Passage } from '../text/passage.ts';
import { splitTokens, tokenId } from '../text/tokenizer.ts';

/** `silent`: a marker that the engine's parsers remove. */
export type TokenKind = 'reasoning' | 'content' | 'tool_name' | 'tool_arguments' | 'silent';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly id: number;
}

/**
 * The last token of an answer that ends by itself. It closes the turn, is counted, and has no text.
 */
export const END: Token = { kind: 'silent', text: '', id: MARKER.end };

export interface Source {
  next(): Token | null;
}

export class Script {
  readonly #sources: readonly Source[];
  #at = 0;

  constructor(sources: readonly Source[]) {
    this.#sources = sources;
  }

  next(): Token {
    for (; ; this.#at++) {
      const source = this.#sources[this.#at];
      if (!source) return END;
      const token = source.next();
      if (token) return token;
    }
  }
}

export function marker(id: number): Source {
  return listed([{ kind: 'silent', text: '', id }]);
}

/** Returns the tokens of a text that is known as a whole. */
export function verbatim(kind: TokenKind, text: string): Source {
  return listed(splitTokens(text).map((piece) => ({ kind, text: piece, id: tokenId(piece) })));
}

/** Returns the same piece `times` times. */
export function repeated(kind: TokenKind, piece: string, times: number): Source {
  const token = { kind, text: piece, id: tokenId(piece) };
  let left = times;
  return { next: () => (left-- > 0 ? token : null) };
}

/**
 * Returns running text. It continues past the last word of the passage up to `atLeast` tokens, and
 * ends at `atMost` tokens in any case.
 */
export function prose(
  kind: TokenKind,
  passage: Passage,
  { atLeast, atMost }: { atLeast: number; atMost: number },
): Source {
  let written = 0;
  return {
    next() {
      if (written >= atMost) return null;
      let piece = passage.next();
      if (piece === null && written < atLeast) {
        passage.goOn();
        piece = passage.next();
      }
      if (piece === null) return null;
      written++;
      return { kind, text: piece, id: tokenId(piece) };
    },
  };
}

function listed(tokens: readonly Token[]): Source {
  let at = 0;
  return { next: () => tokens[at++] ?? null };
}
