import { FILTER_VALUES_MAX } from '../../../../shared/bounds/filter-values.ts';
import { FilterButtons } from '../../parts/list/filter-bar.tsx';
import type { Choice } from '../../parts/list/filter-picker.tsx';
import { type Fold, Folded } from '../../parts/list/folded-filters.tsx';
import { SOURCES, useKeyOptions, useMemberOptions, useModelOptions } from '../usage/filters.tsx';
import { filterOf } from '../../search-values.ts';
import { FindRequest } from './find-request.tsx';
import { LOG_FILTERS, narrowingOf, STATUS_OF } from './narrowing.ts';
import type { LogsChange } from './logs-change.ts';
import type { LogsAddress } from './use-logs-address.ts';

const STATUSES = [
  { value: STATUS_OF.succeeded, name: 'Succeeded' },
  { value: STATUS_OF.failed, name: 'Failed' },
  { value: STATUS_OF.canceled, name: 'Canceled' },
  { value: STATUS_OF.refused, name: 'Refused' },
  { value: '4xx', name: '4xx: failed, canceled or refused' },
  { value: '5xx', name: '5xx: failed or refused' },
];

/** The change that removes all filters. */
export const NO_FILTERS: LogsChange = Object.fromEntries(
  LOG_FILTERS.map((filter) => [filter, undefined]),
);

type LogFiltersProps = LogsAddress &
  Readonly<{
    /** On a phone, whether they are shown. */
    fold: Fold;
    codes: readonly Choice[];
  }>;

export function LogFilters({ fold, codes, search, change }: LogFiltersProps) {
  const keys = useKeyOptions();
  const models = useModelOptions();
  const members = useMemberOptions();
  return (
    <Folded fold={fold} className="grid w-full gap-4">
      <FindRequest />
      <FilterButtons
        filters={[
          { filter: 'status', name: 'Status', options: { choices: STATUSES } },
          { filter: 'code', name: 'Code', options: { choices: codes } },
          { filter: 'key', name: 'Key', options: keys },
          { filter: 'model', name: 'Model', options: models },
          { filter: 'member', name: 'Member', options: members },
          { filter: 'source', name: 'Source', options: { choices: SOURCES } },
        ]}
        values={narrowingOf(search)}
        most={FILTER_VALUES_MAX}
        onChange={(filter, values) => change({ [filter]: filterOf(values) })}
        onClear={() => change(NO_FILTERS)}
      />
    </Folded>
  );
}
