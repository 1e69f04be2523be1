/**
 * The frame of all code: a bar with the title and a button that copies the code, which scrolls below
 * it when its lines are long or many.
 */
import type { ReactNode } from 'react';
import { cx } from '../class-names.ts';
import { CopyButton } from '../copy.tsx';
import './code.css';

export type CodeFrameProps = Readonly<{
  /** The language, or the name of a file. Null: what stands above the frame names it. */
  title: ReactNode;
  /** What is copied, such as "the token". */
  what: string;
  /** The name of the code for screen readers; by default, what is copied. */
  label?: string;
  /** What the button copies. */
  text: string;
  /** Copying it is the page's main action. */
  primary?: boolean;
  /** A long value, such as a token, is broken into lines. */
  wraps?: boolean;
  /** The code is still being written, so its end is always shown. */
  grows?: boolean;
  /** The code as it is shown, in an element `code`. */
  children: ReactNode;
}>;

export function CodeFrame(props: CodeFrameProps) {
  const { title, what, label = what, text, primary = false, children } = props;
  const { wraps = false, grows = false } = props;
  const copy = <CopyButton text={text} what={what} primary={primary} />;
  return (
    <figure className="relative min-w-0 overflow-hidden rounded-lg border bg-sunken">
      {title === null ? (
        // On a phone, the button is too large to stand over the code, and the bar has the name, too.
        <div className="flex items-center justify-end rounded-md bg-sunken p-0.5 text-muted max-sm:justify-between max-sm:border-b max-sm:pl-3 sm:absolute sm:top-0.5 sm:right-0.5">
          <span aria-hidden className="min-w-0 truncate text-xs sm:hidden">
            {label}
          </span>
          {copy}
        </div>
      ) : (
        <figcaption className="flex min-h-9 items-center justify-between gap-2 border-b py-0.5 pr-1 pl-3 text-xs text-muted">
          <span className="min-w-0 truncate">{title}</span>
          {copy}
        </figcaption>
      )}
      <pre
        tabIndex={0}
        aria-label={label}
        className={cx(
          'overflow-auto p-3 font-mono text-xs leading-5',
          !grows && 'max-h-112',
          wraps && 'whitespace-pre-wrap wrap-anywhere',
        )}
      >
        {children}
      </pre>
    </figure>
  );
}
