import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AuditScope } from '../../api/audit.ts';
import { membersQuery } from '../../api/members.ts';
import { tokensQuery } from '../../api/tokens.ts';
import { SelectField } from '../../parts/field.tsx';
import { AUDIT_RANGES, type AuditSearch } from '../../search.ts';
import { OrganizationFilter, PersonFilter } from './found-filters.tsx';
import { kindsOf } from './words.ts';

const RANGE_NAMES: Readonly<Record<(typeof AUDIT_RANGES)[number], string>> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

/** The choice of a time that is shown beside the title instead. */
const CUSTOM = 'custom';

type FiltersProps = Readonly<{
  scope: AuditScope;
  shown: AuditSearch;
  onChange: (change: AuditSearch) => void;
}>;

export function Filters({ scope, shown, onChange }: FiltersProps) {
  const { kind, actor, range, from, organization } = shown;
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      <Choice
        label="Changes of"
        all="Everything"
        value={kind}
        onChange={(to) => onChange({ kind: to })}
      >
        {kindsOf(scope).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Choice>
      {scope === null ? (
        <>
          <OrganizationFilter id={organization} onChange={(id) => onChange({ organization: id })} />
          <PersonFilter id={actor} onChange={(id) => onChange({ actor: id })} />
        </>
      ) : (
        <Choice
          label="Changed by"
          all="Anyone"
          value={actor}
          onChange={(to) => onChange({ actor: to })}
        >
          <Actors organization={scope} chosen={actor} />
        </Choice>
      )}
      <Choice
        label="Time"
        all="All time"
        value={from === undefined ? range : CUSTOM}
        onChange={(chosen) =>
          onChange({
            range: AUDIT_RANGES.find((one) => one === chosen),
            from: undefined,
            to: undefined,
          })
        }
      >
        {from !== undefined && <option value={CUSTOM}>Custom range</option>}
        {AUDIT_RANGES.map((one) => (
          <option key={one} value={one}>
            {RANGE_NAMES[one]}
          </option>
        ))}
      </Choice>
    </div>
  );
}

type ChoiceProps = Readonly<{
  label: string;
  /** What the filter is called while it lets everything through. */
  all: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  children: ReactNode;
}>;

function Choice({ label, all, value = '', onChange, children }: ChoiceProps) {
  return (
    <SelectField
      label={label}
      value={value}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
    >
      <option value="">{all}</option>
      {children}
    </SelectField>
  );
}

type ActorsProps = Readonly<{ organization: string; chosen: string | undefined }>;

/** Offers current members and tokens, and a former one only if the address names it. */
function Actors({ organization, chosen }: ActorsProps) {
  const members = useQuery(membersQuery(organization));
  const tokens = useQuery(tokensQuery(organization));
  const people = members.data?.data ?? [];
  const programs = tokens.data?.data ?? [];
  const isKnown =
    people.some(({ person }) => person === chosen) || programs.some(({ id }) => id === chosen);
  return (
    <>
      <optgroup label="Members">
        {people.map(({ person, name }) => (
          <option key={person} value={person}>
            {name}
          </option>
        ))}
      </optgroup>
      {programs.length > 0 && (
        <optgroup label="Management tokens">
          {programs.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
      {chosen !== undefined && !isKnown && <option value={chosen}>{chosen}</option>}
    </>
  );
}
