import { REGION_NAMES, REGIONS } from '../../../../../shared/region.ts';
import { Select } from '../../../parts/form/field.tsx';
import { Segmented } from '../../../parts/form/segmented.tsx';
import type { HistorySearch } from '../../../operator-search.ts';

type FiltersProps = Readonly<{
  search: HistorySearch;
  change: (wanted: Partial<Record<keyof HistorySearch, string | undefined>>) => void;
  models: readonly string[];
}>;

const GROUPINGS = [
  { value: 'none', name: 'Whole fleet' },
  { value: 'model', name: 'By model' },
  { value: 'region', name: 'By region' },
  { value: 'agent', name: 'By host' },
] as const;

/** How the history of the fleet is grouped, and what it is narrowed to. */
export function HistoryFilters({ search, change, models }: FiltersProps) {
  const { by, model, region } = search;
  // A model in the address may be gone from the fleet.
  const listed = [...new Set(model === undefined ? models : [...models, model])].toSorted();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented
        label="Group by"
        value={by ?? 'none'}
        // The history does not relate models to hosts.
        choices={GROUPINGS.filter(({ value }) => value !== 'agent' || model === undefined)}
        onChange={(chosen) => change({ by: chosen === 'none' ? undefined : chosen })}
      />
      <div className="w-64 max-w-full max-sm:w-full">
        <Select
          aria-label="Model"
          value={model ?? ''}
          onChange={({ target: { value } }) =>
            change({
              model: value || undefined,
              ...(by === 'agent' && value !== '' && { by: undefined }),
            })
          }
        >
          <option value="">All models</option>
          {listed.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </Select>
      </div>
      <div className="w-36 max-sm:w-full">
        <Select
          aria-label="Region"
          value={region ?? ''}
          onChange={({ target: { value } }) => change({ region: value || undefined })}
        >
          <option value="">All regions</option>
          {REGIONS.map((one) => (
            <option key={one} value={one}>
              {REGION_NAMES[one]}
            </option>
          ))}
        </Select>
      </div>
    </div>
  );
}
