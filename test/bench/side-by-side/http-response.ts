/**
 * A parser of HTTP/1.1 responses, in whatever pieces they come: the head, then a body whose length
 * is given or which is chunked. Text is Latin-1, so a character is a byte. What a gateway of the
 * bench has no reason to send is an error.
 */
type State = 'head' | 'length' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer' | 'whole';

export class ResponseParser {
  status = 0;
  readonly #onBody: (text: string) => void;
  #state: State = 'head';
  /** The start of a line that is not complete. */
  #held = '';
  /** The bytes of the body or of the chunk that are still to come. */
  #left = 0;

  constructor(onBody: (text: string) => void) {
    this.#onBody = onBody;
  }

  /** Takes the next piece. Returns true when the response is whole. */
  feed(piece: string): boolean {
    const text = this.#held + piece;
    this.#held = '';
    let at = 0;
    while (this.#state !== 'whole') {
      const next = this.#step(text, at);
      if (next === null) {
        this.#held = text.slice(at);
        return false;
      }
      at = next;
    }
    if (at < text.length) throw new Error('bytes after the end of the response');
    return true;
  }

  /** Returns where the next step starts, or null if it needs more text. */
  #step(text: string, at: number): number | null {
    switch (this.#state) {
      case 'head': {
        const end = text.indexOf('\r\n\r\n', at);
        if (end < 0) return null;
        this.#begin(text.slice(at, end));
        return end + 4;
      }
      case 'chunk-size': {
        const end = text.indexOf('\r\n', at);
        if (end < 0) return null;
        this.#left = Number.parseInt(text.slice(at, end), 16);
        if (!(this.#left >= 0)) throw new Error('a chunk without a size');
        this.#state = this.#left === 0 ? 'trailer' : 'chunk';
        return end + 2;
      }
      case 'length':
      case 'chunk':
        return this.#body(text, at);
      case 'chunk-end':
      case 'trailer': {
        if (text.length - at < 2) return null;
        if (!text.startsWith('\r\n', at)) throw new Error('a chunk of another size than it says');
        this.#state = this.#state === 'trailer' ? 'whole' : 'chunk-size';
        return at + 2;
      }
      case 'whole':
        return null;
    }
  }

  #begin(head: string): void {
    const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
    if (status === undefined) throw new Error('not a response of HTTP/1.1');
    this.status = Number(status);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) {
      this.#left = Number(length);
      this.#state = this.#left === 0 ? 'whole' : 'length';
    } else if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
      this.#state = 'chunk-size';
    } else {
      throw new Error('a response without a length');
    }
  }

  #body(text: string, at: number): number | null {
    const taken = Math.min(this.#left, text.length - at);
    if (taken === 0) return null;
    this.#onBody(text.slice(at, at + taken));
    this.#left -= taken;
    if (this.#left === 0) this.#state = this.#state === 'length' ? 'whole' : 'chunk-end';
    return at + taken;
  }
}
