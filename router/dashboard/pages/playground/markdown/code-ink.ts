/**
 * Draws code as it streams, outside React. The code is drawn in pieces of a few kB, and only the
 * last piece is highlighted again when lines arrive.
 */
import type { Highlight } from '../../../parts/code/load-highlighter.ts';
import { forget, soon } from './pacing.ts';

/** A piece with this many characters ends before the next line that starts something new. */
const PIECE_CHARS = 4_096;
/** A piece with this many characters ends at the next end of a line. */
const PIECE_CHARS_MAX = 8_192;

const SHORT_CHARS = 1_024;

export class CodeInk {
  readonly #place: HTMLElement;
  readonly #language: string;
  readonly #highlight: Promise<Highlight>;
  #text = '';
  /** Where the last piece starts. */
  #start = 0;
  #piece: HTMLElement;
  /** The end of the last piece, which is drawn but not highlighted yet. */
  #plain: Text;

  constructor(place: HTMLElement, language: string, highlight: Promise<Highlight>) {
    this.#place = place;
    this.#language = language;
    this.#highlight = highlight;
    place.replaceChildren();
    [this.#piece, this.#plain] = this.#begin();
  }

  get language(): string {
    return this.#language;
  }

  /** Draws `text`; returns false when it does not continue what is drawn. */
  write(text: string): boolean {
    if (!text.startsWith(this.#text)) return false;
    const from = this.#text.length;
    this.#text = text;
    if (from === text.length) return true;
    this.#plain.appendData(text.slice(from));
    for (let end = this.#end(); end !== null; end = this.#end()) this.#close(end);
    const isShort = text.length - this.#start < SHORT_CHARS;
    // In a long piece, a line is colored when it is complete.
    if (isShort || text.includes('\n', from)) this.#color(this.#piece, text.slice(this.#start));
    return true;
  }

  end(): void {
    forget(this.#piece);
  }

  /** Where the last piece ends; null while it goes on. */
  #end(): number | null {
    const { length } = this.#text;
    if (length - this.#start < PIECE_CHARS) return null;
    const found = /\n\n(?=\S)/g;
    found.lastIndex = this.#start + PIECE_CHARS;
    const next = found.exec(this.#text);
    if (next && next.index - this.#start < PIECE_CHARS_MAX) return next.index + 2;
    if (length - this.#start < PIECE_CHARS_MAX) return null;
    const line = this.#text.lastIndexOf('\n', this.#start + PIECE_CHARS_MAX) + 1;
    return line > this.#start ? line : this.#start + PIECE_CHARS_MAX;
  }

  #close(end: number): void {
    const code = this.#text.slice(this.#start, end);
    this.#piece.replaceChildren(code);
    this.#color(this.#piece, code);
    this.#start = end;
    [this.#piece, this.#plain] = this.#begin();
    this.#plain.data = this.#text.slice(end);
  }

  #begin(): [HTMLElement, Text] {
    const piece = document.createElement('span');
    const plain = document.createTextNode('');
    piece.append(plain);
    this.#place.append(piece);
    return [piece, plain];
  }

  #color(piece: HTMLElement, code: string): void {
    if (this.#language === '') return;
    void this.#highlight.then(
      (highlight) => soon(piece, () => this.#replace(piece, highlight(this.#language, code))),
      // Without the highlighter the code stays plain.
      () => {},
    );
  }

  #replace(piece: HTMLElement, colored: DocumentFragment | null): void {
    if (colored === null) return;
    const isLast = piece === this.#piece;
    // Text that has arrived since then is drawn after the colored code.
    const rest = isLast ? this.#text.slice(this.#start + (colored.textContent ?? '').length) : '';
    piece.replaceChildren(colored);
    if (!isLast) return;
    this.#plain = document.createTextNode(rest);
    piece.append(this.#plain);
  }
}
