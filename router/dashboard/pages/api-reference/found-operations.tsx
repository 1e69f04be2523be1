/** What a filter has found, in place of the page. */
import { Highlighted } from '../../parts/highlighted.tsx';
import { Empty } from '../../parts/states.tsx';
import { Endpoint } from './endpoint.tsx';
import type { Group } from './groups.ts';
import { OperationLink } from './operation-link.tsx';
import type { Operation } from './operations.ts';

type FoundProps = Readonly<{
  operations: readonly Operation[];
  groups: readonly Group[];
  words: readonly string[];
  onOpen: () => void;
}>;

export function FoundOperations({ operations, groups, words, onOpen }: FoundProps) {
  const shown = groups
    .map((group) => ({ group, own: operations.filter((one) => one.group === group) }))
    .filter(({ own }) => own.length > 0);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <header>
        <h1 className="text-xl font-semibold tracking-tight">Operations found</h1>
        <p role="status" className="text-sm text-muted">
          {operations.length === 1 ? '1 operation' : `${operations.length} operations`}
        </p>
      </header>
      {shown.length === 0 && (
        <Empty title="No operation has all of these words">
          The filter looks at the groups, titles, methods, paths and names of operations.
        </Empty>
      )}
      {shown.map(({ group, own }) => (
        <section key={group.slug} aria-labelledby={group.slug}>
          <h2 id={group.slug} className="mb-2 text-sm font-semibold">
            <Highlighted text={group.name} words={words} />
          </h2>
          <ul className="divide-y rounded-xl border bg-panel shadow-panel">
            {own.map((operation) => (
              <li key={operation.id}>
                <OperationLink
                  operation={operation}
                  onClick={onOpen}
                  className="grid gap-1 px-4 py-2.5 text-sm first:rounded-t-xl last:rounded-b-xl hover:bg-hover"
                >
                  <span className="font-medium">
                    <Highlighted text={operation.title} words={words} />
                  </span>
                  <Endpoint operation={operation} words={words} />
                </OperationLink>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
