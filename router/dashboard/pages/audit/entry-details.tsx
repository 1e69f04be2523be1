/** All that is known of one change: the values before and after it, who made it, and the ids. */
import type { ReactNode } from 'react';
import type { AuditEntry } from '../../../../shared/api/audit.ts';
import type { DetailValue } from '../../../../shared/audit-words.ts';
import { Fact, Facts } from '../../parts/page.tsx';
import { Code, FullTime } from '../../parts/shown.tsx';
import { useMe } from '../../session.tsx';
import { PersonLink } from '../operator/people/person-link.tsx';
import { ACTOR_KINDS, heading, shownValue, unsetInWords } from './words.ts';

export function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { action, actor, target, target_name: name, details, before, address } = entry;
  const rest = Object.entries(details).filter(([field]) => before === null || !(field in before));
  return (
    <div className="grid gap-4">
      {before !== null && <Comparison action={action} before={before} after={details} />}
      <Facts>
        {rest.map(([field, value]) => (
          <Fact key={field} name={heading(field)}>
            <Value action={action} field={field} value={value} />
          </Fact>
        ))}
        <Fact name="Changed by">
          <Named name={actor.name ?? ACTOR_KINDS[actor.kind]} id={actor.id}>
            {actor.email ?? (actor.name === null ? null : ACTOR_KINDS[actor.kind])}
          </Named>
        </Fact>
        {target !== null && (
          <Fact name="Changed">
            <Named name={name} id={target} />
          </Fact>
        )}
        <Fact name="IP address">{address ?? <span className="text-muted">Not shown</span>}</Fact>
        <Fact name="Time">
          <FullTime at={entry.created} />
        </Fact>
        <Fact name="Action">
          <Code>{action}</Code>
        </Fact>
        {entry.request_id !== '' && (
          <Fact name="Request ID">
            <Code>{entry.request_id}</Code>
          </Fact>
        )}
      </Facts>
    </div>
  );
}

type Values = AuditEntry['details'];

type ComparisonProps = Readonly<{ action: string; before: Values; after: Values }>;

function Comparison({ action, before, after }: ComparisonProps) {
  return (
    <table className="w-fit max-w-full border-collapse text-sm">
      <thead className="text-left text-muted">
        <tr>
          <th scope="col" className="w-46 pr-6 pb-1.5 font-normal">
            <span className="sr-only">Field</span>
          </th>
          <th scope="col" className="min-w-24 pr-6 pb-1.5 font-normal">
            Before
          </th>
          <th scope="col" className="min-w-24 pb-1.5 font-normal">
            After
          </th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(before).map(([field, value]) => (
          <tr key={field} className="align-top">
            <th scope="row" className="py-1 pr-6 text-left font-normal text-muted">
              {heading(field)}
            </th>
            <td className="py-1 pr-6 wrap-anywhere">
              <Value action={action} field={field} value={value} />
            </td>
            <td className="py-1 font-medium wrap-anywhere">
              <Value action={action} field={field} value={after[field] ?? null} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type ValueProps = Readonly<{ action: string; field: string; value: DetailValue }>;

function Value({ action, field, value }: ValueProps) {
  if (value === null) {
    return <span className="font-normal text-muted">{unsetInWords(action, field)}</span>;
  }
  if (field === 'expires') return <FullTime at={String(value)} />;
  return shownValue(field, value);
}

type NamedProps = Readonly<{ name: string | null; id: string | null; children?: ReactNode }>;

/** A name, what tells it apart from others of that name, and its id. */
function Named({ name, id, children = null }: NamedProps) {
  const { operator } = useMe();
  // Only operators may open the page of a person.
  const isLinked = operator && name !== null && id !== null && id.startsWith('per_');
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      {isLinked ? <PersonLink id={id} name={name} /> : name !== null && <span>{name}</span>}
      {children !== null && <span className="text-muted">{children}</span>}
      {id !== null && <Code>{id}</Code>}
    </span>
  );
}
