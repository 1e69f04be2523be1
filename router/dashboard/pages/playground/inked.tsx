/**
 * Draws a text in blocks of a few kB, outside React and once per frame while an answer streams: a
 * token changes one text node. Of a long text, the browser lays out the blocks in sight only: it
 * would lay out one text node as a whole, which takes a minute for 100,000 combining characters.
 */
import { useEffect, useRef } from 'react';
import { cx } from '../../parts/class-names.ts';
import type { TextBuffer } from './text-buffer.ts';

/**
 * A closed block that is out of sight is not laid out. Until it was seen, its height counts as
 * 36rem.
 */
const CLOSED = '[content-visibility:auto] [contain-intrinsic-block-size:auto_36rem]';

export function Inked({ text, className }: { text: TextBuffer; className?: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => (place.current ? keepDrawn(text, place.current) : undefined), [text]);
  return (
    <div
      ref={place}
      data-ink
      className={cx('break-words whitespace-pre-wrap empty:hidden', className)}
    />
  );
}

/** Draws the current text, and later text until the returned function is called. */
function keepDrawn(text: TextBuffer, paper: HTMLElement): () => void {
  const pen = new Pen(text, paper);
  pen.draw();
  let frame: number | null = null;
  const end = text.listen(() => {
    frame ??= requestAnimationFrame(() => {
      frame = null;
      pen.draw();
    });
  });
  return () => {
    end();
    if (frame !== null) cancelAnimationFrame(frame);
    paper.replaceChildren();
  };
}

class Pen {
  readonly #text: TextBuffer;
  readonly #paper: HTMLElement;
  /**
   * The index of the block that is being drawn, and its text node; null until the block is begun.
   */
  #at = 0;
  #drawn: Text | null = null;

  constructor(text: TextBuffer, paper: HTMLElement) {
    this.#text = text;
    this.#paper = paper;
  }

  draw(): void {
    const { closed, last } = this.#text;
    for (; this.#at < closed.length; this.#at += 1) {
      this.#write(closed[this.#at] ?? '');
      this.#drawn?.parentElement?.setAttribute('class', CLOSED);
      this.#drawn = null;
    }
    if (last !== '') this.#write(last);
  }

  /**
   * Updates the drawn block. The drawn text and `block` start alike: the block has grown, or it was
   * closed a little before the end of the drawn text.
   */
  #write(block: string): void {
    const text = (this.#drawn ??= this.#begin());
    if (text.length <= block.length) text.appendData(block.slice(text.length));
    else text.data = block;
  }

  #begin(): Text {
    const text = document.createTextNode('');
    const block = document.createElement('div');
    block.append(text);
    this.#paper.append(block);
    return text;
  }
}
