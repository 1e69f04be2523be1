import { useQuery } from '@tanstack/react-query';
import { FILTER_VALUES_MAX } from '../../../../shared/bounds/filter-values.ts';
import type { AuditScope } from '../../api/audit.ts';
import { keysQuery } from '../../api/keys.ts';
import { membersQuery } from '../../api/members.ts';
import { tokensQuery } from '../../api/tokens.ts';
import { webhooksQuery } from '../../api/webhooks.ts';
import { hostOf } from '../../format/host.ts';
import { FilterBar, type FilterOptions } from '../../parts/list/filter-bar.tsx';
import type { AuditSearch } from '../../search.ts';
import { filterOf, valuesOf } from '../../search-values.ts';
import { useObjectOptions, useOrganizationOptions, usePeopleOptions } from './found-options.ts';
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
  const options = {
    kind: kindOptions(null),
    except: kindOptions(null),
    actor: usePeopleOptions(valuesOf(shown.actor)),
    organization: useOrganizationOptions(valuesOf(shown.organization)),
    target: useObjectOptions(shown.target),
  };
  return <Bar options={options} shown={shown} onChange={onChange} />;
}

function FiltersOfOrganization({
  organization,
  shown,
  onChange,
}: FiltersProps & Readonly<{ organization: string }>) {
  const options = {
    kind: kindOptions(organization),
    actor: useActorOptions(organization),
    target: useOwnObjectOptions(organization),
  };
  return <Bar options={options} shown={shown} onChange={onChange} />;
}

/** The filters in the order in which they are shown. */
const NAMES = {
  kind: 'Kind of change',
  except: 'Kind left out',
  actor: 'Changed by',
  organization: 'Organization',
  target: 'Object',
} as const;

type Filter = keyof typeof NAMES;

const FILTERS = Object.keys(NAMES) as readonly Filter[];

type BarProps = FiltersProps &
  Readonly<{ options: Readonly<Partial<Record<Filter, FilterOptions>>> }>;

function Bar({ options, shown, onChange }: BarProps) {
  const filters = FILTERS.flatMap((filter) => {
    const own = options[filter];
    if (own === undefined) return [];
    // The API takes the id of one object.
    const most = filter === 'target' ? 1 : FILTER_VALUES_MAX;
    return [{ filter, name: NAMES[filter], options: own, most }];
  });
  return (
    <FilterBar
      filters={filters}
      values={Object.fromEntries(filters.map(({ filter }) => [filter, valuesOf(shown[filter])]))}
      onChange={(filter, values) => onChange({ [filter]: filterOf(values) })}
      onClear={() => onChange(Object.fromEntries(filters.map(({ filter }) => [filter, undefined])))}
    />
  );
}

function kindOptions(scope: AuditScope): FilterOptions {
  return { choices: kindsOf(scope).map(([value, name]) => ({ value, name })) };
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

/** Offers what the organization has now. The bar adds what is gone if the address names it. */
function useOwnObjectOptions(organization: string): FilterOptions {
  const keys = useQuery(keysQuery(organization));
  const members = useQuery(membersQuery(organization));
  const tokens = useQuery(tokensQuery(organization));
  const webhooks = useQuery(webhooksQuery(organization));
  const lists = [
    keys.data?.map(({ id, name }) => ({ value: id, name, note: 'API key' })),
    members.data?.data.map(({ id, name }) => ({ value: id, name, note: 'Member' })),
    tokens.data?.data.map(({ id, name }) => ({ value: id, name, note: 'Management token' })),
    webhooks.data?.data.map(({ id, url }) => ({
      value: id,
      name: hostOf(url),
      note: 'Webhook endpoint',
    })),
  ];
  const isLoaded = lists.every((list) => list !== undefined);
  return {
    choices: isLoaded
      ? [
          { value: organization, name: 'Organization', note: 'Its settings, terms and budget' },
          ...lists.flatMap((list) => list ?? []),
        ]
      : undefined,
    error: keys.error ?? members.error ?? tokens.error ?? webhooks.error,
  };
}
