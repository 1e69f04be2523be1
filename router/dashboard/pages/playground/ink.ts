/**
 * The text of an answer as it comes. It is kept in blocks of a few kB, each drawn as a block of its own, so that one
 * more token never lays out all that was written before it. Nothing here renders: whoever draws it listens.
 */

/** A block is closed at the first end of a line after so much, */
const BLOCK_CHARS = 2_048;
/** and without one, after a word. */
const BLOCK_CHARS_MAX = 8_192;

export class Ink {
  readonly #closed: string[] = [];
  #last = '';
  #hear: () => void = () => {};

  /** Blocks that do not change any more; together with `last` they are the text. */
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
    while (this.#last.length > BLOCK_CHARS_MAX) this.#close(breakIn(this.#last));
    if (this.#last.length >= BLOCK_CHARS && piece.includes('\n')) {
      this.#close(this.#last.lastIndexOf('\n') + 1);
    }
    this.#hear();
  }

  /** One listener, who draws; the answer ends it. */
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

/** Where a text that is too long for a block is broken: after a line, else after a word, and never within a character. */
function breakIn(text: string): number {
  const head = text.slice(0, BLOCK_CHARS_MAX);
  const line = head.lastIndexOf('\n') + 1;
  if (line > 0) return line;
  const word = head.lastIndexOf(' ') + 1;
  if (word > 0) return word;
  const next = text.charCodeAt(BLOCK_CHARS_MAX);
  return next >= 0xdc00 && next <= 0xdfff ? BLOCK_CHARS_MAX - 1 : BLOCK_CHARS_MAX;
}
