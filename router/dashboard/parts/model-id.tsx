import { cx } from './class-names.ts';
import { Td } from './table.tsx';

/** A part of an id of up to this many characters is not broken at its hyphens. */
const WHOLE_CHARS_MAX = 36;

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
  if (children.length > WHOLE_CHARS_MAX) return children;
  return <span className="whitespace-nowrap">{children}</span>;
}

/** A cell with the id of a model, as wide as the longer part of the id. */
export function ModelCell({ id, className }: Readonly<{ id: string; className?: string }>) {
  return (
    <Td className={cx('max-w-72 break-words', className)}>
      <ModelId id={id} />
    </Td>
  );
}
