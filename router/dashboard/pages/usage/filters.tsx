/** The filters of usage. */
import { useQuery } from '@tanstack/react-query';
import { FILTER_VALUES_MAX } from '../../../../shared/bounds/filter-values.ts';
import { keysQuery } from '../../api/keys.ts';
import { membersQuery } from '../../api/members.ts';
import { modelsQuery } from '../../api/organization.ts';
import { FilterButtons, type FilterOptions } from '../../parts/list/filter-bar.tsx';
import { type Fold, Folded } from '../../parts/list/folded-filters.tsx';
import { filterOf } from '../../search-values.ts';
import { useOrganization } from '../../session.tsx';
import { type Filter, FILTERS, narrowingOf, NO_FILTERS } from './address.ts';
import type { Address } from './use-address.ts';

export const SOURCES = [
  { value: 'api', name: 'API' },
  { value: 'playground', name: 'Playground' },
];
const STATUSES = [
  { value: '2xx', name: '2xx, succeeded' },
  { value: '4xx', name: '4xx, failed or canceled' },
  { value: '5xx', name: '5xx, failed' },
];
const NAMES: Readonly<Record<Filter, string>> = {
  model: 'Model',
  key: 'Key',
  member: 'Member',
  source: 'Source',
  status: 'Status',
};

export function useModelOptions(): FilterOptions {
  const { data, error } = useQuery(modelsQuery(useOrganization()));
  return { choices: data?.data.map(({ id }) => ({ value: id, name: id })), error };
}

export function useKeyOptions(): FilterOptions {
  const { data, error } = useQuery(keysQuery(useOrganization()));
  return { choices: data?.map(({ id, name }) => ({ value: id, name })), error };
}

export function useMemberOptions(): FilterOptions {
  const { data, error } = useQuery(membersQuery(useOrganization()));
  return { choices: data?.data.map(({ id, name }) => ({ value: id, name })), error };
}

/** `fold`: on a phone, whether they are shown. */
export function Filters({ fold, search, change }: Address & Readonly<{ fold: Fold }>) {
  const options: Readonly<Record<Filter, FilterOptions>> = {
    model: useModelOptions(),
    key: useKeyOptions(),
    member: useMemberOptions(),
    source: { choices: SOURCES },
    status: { choices: STATUSES },
  };
  return (
    <Folded fold={fold} className="w-full">
      <FilterButtons
        filters={FILTERS.map((filter) => ({
          filter,
          name: NAMES[filter],
          options: options[filter],
        }))}
        values={narrowingOf(search)}
        most={FILTER_VALUES_MAX}
        onChange={(filter, values) => change({ [filter]: filterOf(values) })}
        onClear={() => change(NO_FILTERS)}
      />
    </Folded>
  );
}
