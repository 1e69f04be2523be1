import { cx } from './class-names.ts';
import { Td } from './table.tsx';

/** The id of a model, which wraps after the slash behind its namespace where it lacks room. */
export function ModelId({ id }: { id: string }) {
  const slash = id.indexOf('/') + 1;
  return (
    <>
      {id.slice(0, slash)}
      {slash > 0 && <wbr />}
      {id.slice(slash)}
    </>
  );
}

/**
 * A cell with the id of a model, as wide as the longer part of the id. Only an id that is longer
 * than 18 rem also wraps at other places.
 */
export function ModelCell({ id, className }: Readonly<{ id: string; className?: string }>) {
  return (
    <Td className={cx('max-w-72 break-words', className)}>
      <ModelId id={id} />
    </Td>
  );
}
