import { useQuery } from '@tanstack/react-query';
import { FILTER_VALUES_MAX } from '../../../../shared/bounds/filter-values.ts';
import type { AuditScope } from '../../api/audit.ts';
import { membersQuery } from '../../api/members.ts';
import { tokensQuery } from '../../api/tokens.ts';
import { FilterBar, type FilterOptions } from '../../parts/list/filter-bar.tsx';
import type { AuditSearch } from '../../search.ts';
import { filterOf, valuesOf } from '../../search-values.ts';
import { OrganizationsFilter, PeopleFilter } from './found-filters.tsx';
import { kindsOf } from './words.ts';

type FiltersProps = Readonly<{
  shown: AuditSearch;
  onChange: (change: AuditSearch) => void;
}>;

export function Filters({ scope, ...rest }: FiltersProps & Readonly<{ scope: AuditScope }>) {
  return scope === null ? (
    <FiltersOfPlatform {...rest} />
  ) : (
    <FiltersOfOrganization organization={scope} {...rest} />
  );
}

function FiltersOfPlatform({ shown, onChange }: FiltersProps) {
  const { organization, actor } = shown;
  return (
    <div className="grid gap-3">
      <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <OrganizationsFilter
          ids={valuesOf(organization)}
          onChange={(ids) => onChange({ organization: filterOf(ids) })}
        />
        <PeopleFilter
          ids={valuesOf(actor)}
          onChange={(ids) => onChange({ actor: filterOf(ids) })}
        />
      </div>
      <FilterBar
        filters={[kindFilter(null)]}
        values={{ kind: valuesOf(shown.kind) }}
        most={FILTER_VALUES_MAX}
        onChange={(filter, values) => onChange({ [filter]: filterOf(values) })}
        onClear={() => onChange({ kind: undefined })}
      />
    </div>
  );
}

function FiltersOfOrganization({
  organization,
  shown,
  onChange,
}: FiltersProps & Readonly<{ organization: string }>) {
  const actors = useActorOptions(organization);
  return (
    <FilterBar
      filters={[kindFilter(organization), { filter: 'actor', name: 'Changed by', options: actors }]}
      values={{ kind: valuesOf(shown.kind), actor: valuesOf(shown.actor) }}
      most={FILTER_VALUES_MAX}
      onChange={(filter, values) => onChange({ [filter]: filterOf(values) })}
      onClear={() => onChange({ kind: undefined, actor: undefined })}
    />
  );
}

function kindFilter(scope: AuditScope) {
  const choices = kindsOf(scope).map(([value, name]) => ({ value, name }));
  return { filter: 'kind', name: 'Kind of change', options: { choices } } as const;
}

/** Offers current members and tokens. The bar adds a former one if the address names it. */
function useActorOptions(organization: string): FilterOptions {
  const members = useQuery(membersQuery(organization));
  const tokens = useQuery(tokensQuery(organization));
  const people = members.data?.data.map(({ person, name }) => ({ value: person, name }));
  const programs = tokens.data?.data.map(({ id, name }) => ({
    value: id,
    name: `${name} (management token)`,
  }));
  return {
    choices: people && programs && [...people, ...programs],
    error: members.error ?? tokens.error,
  };
}
