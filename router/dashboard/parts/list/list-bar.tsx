/** How a list that the server searches is narrowed and, on a phone, sorted. */
import type { ComponentProps } from 'react';
import { SEARCH_CHARS_MAX } from '../../../../shared/bounds/search-chars.ts';
import { BarLayout } from './bar-layout.tsx';
import { FilterBar } from './filter-bar.tsx';
import { SearchBox } from './search-box.tsx';
import { SortChoice, type Sorting } from './sorting.tsx';

type ListBarProps<Filter extends string, Sort extends string> = Readonly<{
  /** What is listed, such as "organizations". */
  what: string;
  placeholder: string;
  filters: ComponentProps<typeof FilterBar<Filter>>['filters'];
  sorting: Sorting<Sort>;
  orders: ComponentProps<typeof SortChoice<Sort>>['choices'];
  /** How many are listed, such as "3 organizations". */
  count?: string | undefined;
  /** The parameters of the address as they are. */
  shown: Readonly<Partial<Record<Filter | 'search', string | undefined>>>;
  /** Receives the parameters that change; those that go are undefined. */
  onChange: (part: Readonly<Record<string, string | undefined>>) => void;
}>;

export function ListBar<Filter extends string, Sort extends string>({
  what,
  placeholder,
  filters,
  sorting,
  orders,
  count,
  shown,
  onChange,
}: ListBarProps<Filter, Sort>) {
  const values: Partial<Record<Filter, readonly string[]>> = {};
  for (const { filter } of filters) {
    const value = shown[filter];
    if (value !== undefined) values[filter] = [value];
  }
  return (
    <BarLayout
      filters={
        <FilterBar
          filters={filters}
          values={values}
          onChange={(filter, [value]) => onChange({ [filter]: value })}
          onClear={() =>
            onChange(Object.fromEntries(filters.map(({ filter }) => [filter, undefined])))
          }
        />
      }
      count={count}
    >
      <SearchBox
        label={`Search ${what}`}
        placeholder={placeholder}
        charsMax={SEARCH_CHARS_MAX}
        searched={shown.search ?? ''}
        onSearch={(text) => onChange({ search: text === '' ? undefined : text })}
      />
      <SortChoice sorting={sorting} choices={orders} onSort={onChange} />
    </BarLayout>
  );
}
