import { useQuery } from '@tanstack/react-query';
import { membersQuery } from '../../api/members.ts';
import { tokensQuery } from '../../api/tokens.ts';
import { DAY_MS, now } from '../../clock.ts';
import { SelectField } from '../../parts/field.tsx';
import { useOrganization } from '../../session.tsx';
import { KINDS } from './words.ts';

/** The filters as the API takes them. An empty string does not filter. */
export type Filters = Readonly<{ action: string; actor: string; from: string }>;

export const ALL: Filters = { action: '', actor: '', from: '' };

const PERIODS = { '1': 'Last 24 hours', '7': 'Last 7 days', '30': 'Last 30 days' } as const;

type FiltersProps = Readonly<{
  days: string;
  filters: Filters;
  onChange: (filters: Filters, days: string) => void;
}>;

export function AuditFilters({ days, filters, onChange }: FiltersProps) {
  const since = (chosen: string) =>
    chosen === '' ? '' : new Date(now() - Number(chosen) * DAY_MS).toISOString();
  return (
    <div className="grid gap-3 sm:grid-cols-3 lg:max-w-2xl">
      <SelectField
        label="Action"
        value={filters.action}
        onChange={(text) => onChange({ ...filters, action: text }, days)}
      >
        <option value="">All changes</option>
        {Object.entries(KINDS).map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </SelectField>
      <ActorField
        value={filters.actor}
        onChange={(actor) => onChange({ ...filters, actor }, days)}
      />
      <SelectField
        label="Time"
        value={days}
        onChange={(value) => onChange({ ...filters, from: since(value) }, value)}
      >
        <option value="">All time</option>
        {Object.entries(PERIODS).map(([count, name]) => (
          <option key={count} value={count}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

type ActorProps = Readonly<{ value: string; onChange: (actor: string) => void }>;

/** Offers current members and tokens only. Entries of former ones appear only in the table. */
function ActorField({ value, onChange }: ActorProps) {
  const organization = useOrganization();
  const members = useQuery(membersQuery(organization)).data?.data ?? [];
  const tokens = useQuery(tokensQuery(organization)).data?.data ?? [];
  return (
    <SelectField label="Actor" value={value} onChange={onChange}>
      <option value="">Anyone</option>
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
    </SelectField>
  );
}
