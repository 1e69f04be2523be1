import { FilterBar } from '../../parts/filter-bar.tsx';
import { EXPLAINED_CODES } from '../usage/explanations.ts';
import { STATUSES, useKeyOptions, useModelOptions } from '../usage/filters.tsx';
import type { LogsAddress } from './use-logs-address.ts';

const WITH_REFUSED = [{ value: 'refused', name: 'Refused before admission' }, ...STATUSES];
const CODES = EXPLAINED_CODES.map((code) => ({ value: code, name: code }));
const NO_FILTERS = { status: undefined, code: undefined, key: undefined, model: undefined };

export function LogFilters({ search, change }: LogsAddress) {
  const keys = useKeyOptions();
  const models = useModelOptions();
  return (
    <FilterBar
      filters={[
        { filter: 'status', name: 'Status', options: { choices: WITH_REFUSED } },
        { filter: 'code', name: 'Code', options: { choices: CODES } },
        { filter: 'key', name: 'Key', options: keys },
        { filter: 'model', name: 'Model', options: models },
      ]}
      search={search}
      // Each value comes from its list, or from the address bar as `logsSearch` read it.
      onChange={(filter, value) => change({ [filter]: value })}
      onClear={() => change(NO_FILTERS)}
    />
  );
}
