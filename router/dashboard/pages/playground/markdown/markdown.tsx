/** Shows a text that streams as Markdown. This file and its parser are loaded lazily. */
import { memo, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { cx } from '../../../parts/class-names.ts';
import { type TextBuffer, TextReader } from '../text-buffer.ts';
import { MarkdownStream, type Page } from './markdown-stream.ts';
import { shownNodes } from './nodes-view.tsx';
import { forget, soon } from './pacing.ts';

/**
 * A page that is full is not laid out while it is out of sight. Until it was seen, its height counts
 * as 48rem.
 */
const FULL = '[content-visibility:auto] [contain-intrinsic-block-size:auto_48rem]';

/** A grid would be laid out as a whole whenever its last block grows. */
const SPACED = '[&>*+*]:mt-3';

type MarkdownProps = Readonly<{
  text: TextBuffer;
  /** The whole text is code in this language; null for Markdown. */
  language: string | null;
  /** No text follows. */
  isEnded: boolean;
  className?: string;
}>;

export default function Markdown({ text, language, isEnded, className }: MarkdownProps) {
  const pages = usePages(text, language, isEnded);
  return (
    <div data-markdown className={cx('min-w-0 break-words empty:hidden', SPACED, className)}>
      {pages.map((page, index) => (
        // Pages are only added at the end.
        // oxlint-disable-next-line react/no-array-index-key
        <PageView key={index} page={page} isFull={index < pages.length - 1} />
      ))}
    </div>
  );
}

function usePages(text: TextBuffer, language: string | null, isEnded: boolean): readonly Page[] {
  const [pages, setPages] = useState<readonly Page[]>([]);
  const ended = useRef(isEnded);
  const drawing = useRef(() => {});
  useEffect(() => {
    const stream = new MarkdownStream(language);
    const reader = new TextReader(text);
    const draw = () => {
      const piece = reader.read();
      if (piece !== '') stream.write(piece);
      else if (ended.current && !stream.isEnded) stream.end();
      else return;
      // The time of drawing counts, so that other work of this frame waits for the next.
      flushSync(() => setPages(stream.pages));
      soon(stream, draw);
    };
    drawing.current = () => soon(stream, draw);
    drawing.current();
    const end = text.listen(drawing.current);
    return () => {
      end();
      forget(stream);
    };
  }, [text, language]);
  useEffect(() => {
    ended.current = isEnded;
    drawing.current();
  }, [isEnded]);
  return pages;
}

const PageView = memo(function PageView({ page, isFull }: { page: Page; isFull: boolean }) {
  return (
    <div className={cx(SPACED, isFull && FULL)}>
      {page.map((block, index) => (
        // Blocks are only added at the end.
        // oxlint-disable-next-line react/no-array-index-key
        <BlockView key={index} block={block} />
      ))}
    </div>
  );
});

const BlockView = memo(function BlockView({ block }: { block: Page[number] }) {
  return shownNodes(block);
});
