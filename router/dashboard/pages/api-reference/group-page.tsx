/** A group of operations: first the list of them, then each in full. */
import type { Caller } from './curl.ts';
import type { OpenApi } from './document.ts';
import { Endpoint } from './endpoint.tsx';
import type { Group } from './groups.ts';
import { OperationLink } from './operation-link.tsx';
import { OperationView } from './operation-view.tsx';
import type { Operation } from './operations.ts';

type GroupPageProps = Readonly<{
  group: Group;
  operations: readonly Operation[];
  document: OpenApi;
  caller: Caller;
  showsOperators: boolean;
}>;

export function GroupPage({ group, operations, ...shared }: GroupPageProps) {
  return (
    <article className="@container">
      <h1 className="text-2xl font-semibold tracking-tight">{group.name}</h1>
      <p className="mt-1 text-muted">{group.description}</p>
      <ul
        aria-label="Operations"
        className="mt-5 mb-10 divide-y rounded-xl border bg-panel shadow-panel"
      >
        {operations.map((operation) => (
          <li key={operation.id}>
            <OperationLink
              operation={operation}
              className="grid gap-x-4 gap-y-1 px-4 py-2.5 text-sm hover:bg-hover @3xl:grid-cols-2"
            >
              <span className="font-medium">{operation.title}</span>
              <Endpoint operation={operation} />
            </OperationLink>
          </li>
        ))}
      </ul>
      {operations.map((operation) => (
        <OperationView key={operation.id} operation={operation} {...shared} />
      ))}
    </article>
  );
}
