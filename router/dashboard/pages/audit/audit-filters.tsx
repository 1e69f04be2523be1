import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DAY_MS } from '../../../../shared/durations.ts';
import type { AuditFilters, AuditScope } from '../../api/audit.ts';
import { membersQuery } from '../../api/members.ts';
import { tokensQuery } from '../../api/tokens.ts';
import { now } from '../../clock.ts';
import { SelectField } from '../../parts/field.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { kindsOf } from './words.ts';

const PERIODS = { '1': 'Last 24 hours', '7': 'Last 7 days', '30': 'Last 30 days' } as const;

type FiltersProps = Readonly<{
  scope: AuditScope;
  filters: AuditFilters;
  onChange: (change: Partial<AuditFilters>) => void;
}>;

export function Filters({ scope, filters, onChange }: FiltersProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-3 lg:max-w-2xl">
      <Choice label="Changes of" all="Everything" onChange={(action) => onChange({ action })}>
        {kindsOf(scope).map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </Choice>
      {scope === null ? (
        <div className="self-end sm:[&>div]:w-full">
          <SearchBox
            label="Organization"
            placeholder="Organization ID"
            charsMax={30}
            searched={filters.organization}
            onSearch={(organization) => onChange({ organization })}
          />
        </div>
      ) : (
        <Choice label="Changed by" all="Anyone" onChange={(actor) => onChange({ actor })}>
          <Actors organization={scope} />
        </Choice>
      )}
      <Choice
        label="Time"
        all="All time"
        onChange={(days) =>
          onChange({
            from: days === '' ? '' : new Date(now() - Number(days) * DAY_MS).toISOString(),
          })
        }
      >
        {Object.entries(PERIODS).map(([days, name]) => (
          <option key={days} value={days}>
            {name}
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
  onChange: (value: string) => void;
  children: ReactNode;
}>;

function Choice({ label, all, onChange, children }: ChoiceProps) {
  const [value, setValue] = useState('');
  return (
    <SelectField
      label={label}
      value={value}
      onChange={(chosen) => {
        setValue(chosen);
        onChange(chosen);
      }}
    >
      <option value="">{all}</option>
      {children}
    </SelectField>
  );
}

/** Offers current members and tokens only. Changes by former ones appear only in the table. */
function Actors({ organization }: { organization: string }) {
  const members = useQuery(membersQuery(organization)).data?.data ?? [];
  const tokens = useQuery(tokensQuery(organization)).data?.data ?? [];
  return (
    <>
      <optgroup label="Members">
        {members.map(({ person, name }) => (
          <option key={person} value={person}>
            {name}
          </option>
        ))}
      </optgroup>
      {tokens.length > 0 && (
        <optgroup label="Management tokens">
          {tokens.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
    </>
  );
}
