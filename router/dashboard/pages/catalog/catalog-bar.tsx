/** How the list of models is searched, narrowed and sorted. All of it stands in the address. */
import type { FigureSpan } from '../../../../shared/public-figures.ts';
import { SEARCH_CHARS_MAX } from '../../../../shared/bounds/search-chars.ts';
import { type Region, REGION_NAMES } from '../../../../shared/region.ts';
import { compactCount } from '../../format/count.ts';
import { BarLayout } from '../../parts/list/bar-layout.tsx';
import { FilterButtons } from '../../parts/list/filter-bar.tsx';
import { FoldedFilters } from '../../parts/list/folded-filters.tsx';
import { SearchBox } from '../../parts/list/search-box.tsx';
import { SortSelect } from '../../parts/list/sorting.tsx';
import { Segmented } from '../../parts/form/segmented.tsx';
import { Toggles } from '../../parts/form/toggles.tsx';
import { type CatalogSearch, CONTEXTS_MIN, MODEL_FEATURES, MODEL_ORDERS } from '../../search.ts';
import { filterOf } from '../../search-values.ts';
import { CAPABILITIES, type Filter } from './match.ts';
import { ORDER_NAMES, SPAN_CHOICES } from './order.ts';

const CAPABILITY_CHOICES = MODEL_FEATURES.map((value) => ({ value, name: CAPABILITIES[value] }));
const CONTEXT_CHOICES = Object.entries(CONTEXTS_MIN).map(([value, tokens]) => ({
  value,
  name: `${compactCount(tokens)} tokens or more`,
}));

type ChangeCatalog = (
  part: Readonly<Partial<Record<keyof CatalogSearch, string | undefined>>>,
) => void;

type CatalogBarProps = Readonly<{
  shown: CatalogSearch;
  filter: Filter;
  span: FigureSpan;
  /** Where models are served. The list is narrowed to one of them only if there are several. */
  regions: readonly Region[];
  onChange: ChangeCatalog;
}>;

export function CatalogBar({ shown, filter, span, regions, onChange }: CatalogBarProps) {
  const context = { filter: 'context', name: 'Context', options: { choices: CONTEXT_CHOICES } };
  const served = {
    filter: 'region',
    name: 'Served in',
    options: { choices: regions.map((value) => ({ value, name: REGION_NAMES[value] })) },
  };
  return (
    <BarLayout
      filters={
        <div>
          <FoldedFilters
            count={[shown.can, shown.context, filter.region ?? undefined].filter(Boolean).length}
            className="flex flex-wrap items-center gap-2 max-sm:order-1 max-sm:w-full"
          >
            <Toggles
              label="Capabilities"
              chosen={filter.wanted}
              choices={CAPABILITY_CHOICES}
              onChange={(chosen) => onChange({ can: filterOf(chosen) })}
            />
            <FilterButtons
              filters={regions.length > 1 ? [context, served] : [context]}
              values={{
                context: shown.context === undefined ? [] : [shown.context],
                region: filter.region === null ? [] : [filter.region],
              }}
              onChange={(name, [value]) => onChange({ [name]: value })}
              onClear={() => onChange({ context: undefined, region: undefined })}
            />
          </FoldedFilters>
        </div>
      }
    >
      <SearchBox
        label="Search models"
        placeholder="Name, ID or description"
        charsMax={SEARCH_CHARS_MAX}
        searched={shown.search ?? ''}
        onSearch={(search) => onChange({ search })}
      />
      <SortSelect
        className="sm:w-48"
        value={shown.sort ?? ''}
        onChange={({ target }) => onChange({ sort: target.value, order: undefined })}
      >
        <option value="">Default order</option>
        {MODEL_ORDERS.map((order) => (
          <option key={order} value={order}>
            {ORDER_NAMES[order]}
          </option>
        ))}
      </SortSelect>
      <div className="max-sm:order-1 max-sm:w-full">
        <Segmented
          label="Time of the figures"
          value={span}
          choices={SPAN_CHOICES}
          onChange={(chosen) => onChange({ span: chosen })}
        />
      </div>
    </BarLayout>
  );
}
