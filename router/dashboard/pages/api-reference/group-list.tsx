/** The list of groups at the side. Below the group that is shown, it has that group's operations. */
import { Link } from '@tanstack/react-router';
import { listed } from '../docs/listed.ts';
import { useCurrent } from '../docs/use-current.ts';
import type { Group } from './groups.ts';
import type { Operation } from './operations.ts';

type GroupListProps = Readonly<{
  groups: readonly Group[];
  /** Undefined: the introduction is shown. */
  shown: Group | undefined;
  operations: readonly Operation[];
  /** What a search has found is shown instead. */
  isSearching: boolean;
  onOpen: () => void;
}>;

export function GroupList({ groups, shown, operations, isSearching, onOpen }: GroupListProps) {
  const own = operations.filter(({ group }) => group === shown);
  return (
    <nav aria-label="Groups of operations">
      <ul className="grid gap-0.5">
        <li>
          <Link
            to="/docs/api"
            search
            onClick={onOpen}
            {...listed(!isSearching && shown === undefined)}
          >
            Introduction
          </Link>
        </li>
        {groups.map((group) => (
          <li key={group.slug}>
            <Link
              to="/docs/api/$group"
              params={{ group: group.slug }}
              search
              onClick={onOpen}
              {...listed(!isSearching && group === shown)}
            >
              {group.name}
            </Link>
            {group === shown && <Operations operations={own} onOpen={onOpen} />}
          </li>
        ))}
      </ul>
    </nav>
  );
}

type OperationsProps = Readonly<{ operations: readonly Operation[]; onOpen: () => void }>;

function Operations({ operations, onOpen }: OperationsProps) {
  const current = useCurrent(operations.map(({ id }) => id));
  return (
    <ul className="my-1 ml-2 border-l">
      {operations.map((operation) => (
        <li key={operation.id}>
          <a
            href={`#${operation.id}`}
            onClick={onOpen}
            aria-current={operation.id === current ? 'location' : undefined}
            className="-ml-px block border-l border-transparent py-1 pl-3 text-xs text-muted hover:text-ink aria-[current=location]:border-accent aria-[current=location]:text-ink"
          >
            {operation.title}
          </a>
        </li>
      ))}
    </ul>
  );
}
