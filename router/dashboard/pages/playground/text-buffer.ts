/**
 * The text of an answer as it streams. The text is kept in blocks of a few kB, each drawn as a
 * separate element, so that a token never causes a new layout of all earlier text. This class draws
 * nothing; its listener does. A text that is long, and complete, is drawn in such blocks, too.
 */

/** A block that has this many characters is closed at the next end of a line. */
const BLOCK_CHARS = 2_048;
/** A block that has grown beyond this without an end of a line is closed by `breakIn`. */
export const BLOCK_CHARS_MAX = 8_192;

export class TextBuffer {
  readonly #closed: string[] = [];
  #last = '';
  #hear: () => void = () => {};

  static of(text: string): TextBuffer {
    const buffer = new TextBuffer();
    buffer.write(text);
    return buffer;
  }

  /** The blocks that no longer change. Together with `last` they are the text. */
  get closed(): readonly string[] {
    return this.#closed;
  }

  /** The block that is being written. */
  get last(): string {
    return this.#last;
  }

  get text(): string {
    return this.#closed.join('') + this.#last;
  }

  get isEmpty(): boolean {
    return this.#last === '' && this.#closed.length === 0;
  }

  /** Hot path: called for every token. */
  write(piece: string): void {
    this.#last += piece;
    while (this.#last.length > BLOCK_CHARS_MAX) {
      this.#close(breakIn(this.#last, BLOCK_CHARS_MAX));
    }
    if (this.#last.length >= BLOCK_CHARS && piece.includes('\n')) {
      this.#close(this.#last.lastIndexOf('\n') + 1);
    }
    this.#hear();
  }

  /** Sets the only listener, which draws the text. The returned function removes it. */
  listen(hear: () => void): () => void {
    this.#hear = hear;
    return () => {
      if (this.#hear === hear) this.#hear = () => {};
    };
  }

  #close(at: number): void {
    if (at === 0) return;
    this.#closed.push(this.#last.slice(0, at));
    this.#last = this.#last.slice(at);
  }
}

/** Reads a text from its start, while it grows. */
export class TextReader {
  readonly #text: TextBuffer;
  #block = 0;
  #offset = 0;

  constructor(text: TextBuffer) {
    this.#text = text;
  }

  /** Returns the text that follows, at most one block of it; '' when everything was read. */
  read(): string {
    const { closed, last } = this.#text;
    for (;;) {
      const block = closed[this.#block];
      if (block === undefined || this.#offset < block.length) {
        const piece = (block ?? last).slice(this.#offset);
        this.#offset += piece.length;
        return piece;
      }
      // The block was closed, perhaps before the end of what was read from it.
      this.#offset -= block.length;
      this.#block += 1;
    }
  }
}

/**
 * Returns where to break a text that is too long for a block: after a line, or else after a word,
 * or else between two characters and never within a surrogate pair.
 */
export function breakIn(text: string, max: number): number {
  const head = text.slice(0, max);
  const line = head.lastIndexOf('\n') + 1;
  if (line > 0) return line;
  const word = head.lastIndexOf(' ') + 1;
  if (word > 0) return word;
  const next = text.charCodeAt(max);
  return next >= 0xdc00 && next <= 0xdfff ? max - 1 : max;
}
