import { useQuery } from '@tanstack/react-query';
import { keysQuery } from '../../api/keys.ts';
import { modelsQuery } from '../../api/organization.ts';
import { Button } from '../../parts/button.tsx';
import { useOrganization } from '../../session.tsx';
import { EXPLAINED_CODES } from '../usage/explanations.ts';
import { FilterButton, type FilterOptions, STATUSES } from '../usage/filters.tsx';
import type { LogsAddress } from './use-logs-address.ts';

const WITH_REFUSED = [{ value: 'refused', name: 'Refused before admission' }, ...STATUSES];
const CODES = EXPLAINED_CODES.map((code) => ({ value: code, name: code }));
const NO_FILTERS = { status: undefined, code: undefined, key: undefined, model: undefined };

export function LogFilters({ search, change }: LogsAddress) {
  const organization = useOrganization();
  const models = useQuery(modelsQuery(organization));
  const keys = useQuery(keysQuery(organization));
  const filters: readonly Readonly<{
    filter: keyof typeof NO_FILTERS;
    name: string;
    options: FilterOptions;
  }>[] = [
    { filter: 'status', name: 'Status', options: { choices: WITH_REFUSED } },
    { filter: 'code', name: 'Code', options: { choices: CODES } },
    {
      filter: 'key',
      name: 'Key',
      options: {
        choices: keys.data?.map(({ id, name }) => ({ value: id, name })),
        error: keys.error,
      },
    },
    {
      filter: 'model',
      name: 'Model',
      options: {
        choices: models.data?.data.map(({ id }) => ({ value: id, name: id })),
        error: models.error,
      },
    },
  ];
  const chosen = filters.filter(({ filter }) => search[filter] !== undefined);
  return (
    <div className="flex flex-wrap items-center gap-2" role="group" aria-label="Filters">
      {filters.map(({ filter, name, options }) => (
        <FilterButton
          key={filter}
          name={name}
          options={options}
          value={search[filter]}
          // Each value comes from its list, or from the address bar as `logsSearch` read it.
          onChange={(value) => change({ [filter]: value })}
        />
      ))}
      {chosen.length > 1 && (
        <Button look="ghost" size="small" onClick={() => change(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </div>
  );
}
