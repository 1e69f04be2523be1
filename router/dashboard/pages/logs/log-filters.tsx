import { FILTER_VALUES_MAX } from '../../../../shared/bounds/filter-values.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { EXPLAINED_CODES } from '../usage/explanations.ts';
import { STATUSES, useKeyOptions, useModelOptions } from '../usage/filters.tsx';
import { filterOf, valuesOf } from '../../search.ts';
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
      values={{
        status: valuesOf(search.status),
        code: valuesOf(search.code),
        key: valuesOf(search.key),
        model: valuesOf(search.model),
      }}
      most={FILTER_VALUES_MAX}
      onChange={(filter, values) => change({ [filter]: filterOf(values) })}
      onClear={() => change(NO_FILTERS)}
    />
  );
}
