import { Fragment } from 'react';
import { cx } from './class-names.ts';
import { Td } from './list/table.tsx';

/** A part of an id of up to this many characters is not broken at its hyphens. */
const WHOLE_CHARS_MAX = 36;

/** An id of up to this many characters is never broken. */
const NEVER_BROKEN_CHARS_MAX = 20;

/** A text that is broken only after a slash or a hyphen. */
export function Breakable({ children }: { children: string }) {
  return children.split(/(?<=[/-])/).map((piece, at) => (
    // The pieces of an id never move.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      {piece}
      <wbr />
    </Fragment>
  ));
}

/** The id of a model, which wraps after the slash behind its namespace where it lacks room. */
export function ModelId({ id }: { id: string }) {
  const slash = id.indexOf('/') + 1;
  return (
    <>
      {slash > 0 && <Part>{id.slice(0, slash)}</Part>}
      <wbr />
      <Part>{id.slice(slash)}</Part>
    </>
  );
}

function Part({ children }: { children: string }) {
  if (children.length > WHOLE_CHARS_MAX) return <Breakable>{children}</Breakable>;
  // On a phone, where a card has no room to scroll, it is broken where browsers break words. In a wide
  // window, or read aloud, it is one word.
  return <span className="md:whitespace-nowrap">{children}</span>;
}

type ModelCellProps = Readonly<{ id: string; lined?: boolean; className?: string }>;

/**
 * A cell with the id of a model, as wide as the longer part of the id. In a wide window an id of
 * usual length is on one line, which keeps rows low. `lined`: it is on a laptop, too.
 */
export function ModelCell({ id, lined = false, className }: ModelCellProps) {
  const isShort = id.length <= WHOLE_CHARS_MAX;
  return (
    <Td inLines="flexible" className={cx('max-w-72 break-words', className)}>
      <span
        className={cx(
          isShort && 'min-[90rem]:inline-block min-[90rem]:w-max',
          isShort && lined && 'min-[80rem]:inline-block min-[80rem]:w-max',
          id.length <= NEVER_BROKEN_CHARS_MAX && 'inline-block w-max',
        )}
      >
        <ModelId id={id} />
      </span>
    </Td>
  );
}
