/** How people choose the order of a list, which the server or the page sorts. */
import type { ComponentProps } from 'react';
import { cx } from '../class-names.ts';
import { Select } from '../form/field.tsx';
import type { Column } from './table.tsx';

export type Sorting<Sort extends string> = Readonly<{ sort: Sort; order: 'asc' | 'desc' }>;

const OTHER = { asc: 'desc', desc: 'asc' } as const;

/**
 * Returns a function that makes a column sort the table. The first click sorts the highest or newest
 * first, or in the order that the column asks for, and the next the other way.
 */
export function sortedBy<Sort extends string>(
  { sort, order }: Sorting<Sort>,
  onSort: (wanted: Sorting<Sort>) => void,
): (column: Sort, first?: 'asc' | 'desc') => Pick<Column, 'sorted'> {
  return (column, first = 'desc') => ({
    sorted: {
      order: sort === column ? order : null,
      onSort: () =>
        onSort({ sort: column, order: sort === column && order === first ? OTHER[first] : first }),
    },
  });
}

type SortChoiceProps<Sort extends string> = Readonly<{
  sorting: Sorting<Sort>;
  /** The first is the default. */
  choices: readonly [Named<Sort>, ...Named<Sort>[]];
  onSort: (wanted: Sorting<Sort>) => void;
}>;

type Named<Sort extends string> = Sorting<Sort> & Readonly<{ name: string }>;

/** The choice of an order. On a phone, it leaves room beside it for the button of the filters. */
export function SortSelect({ className, ...rest }: ComponentProps<typeof Select>) {
  return (
    <Select
      aria-label="Sort by"
      className={cx('max-sm:w-auto max-sm:min-w-40 max-sm:flex-1', className)}
      {...rest}
    />
  );
}

/** The choice on a phone, where the table has no headings. */
export function SortChoice<Sort extends string>({
  sorting: { sort, order },
  choices,
  onSort,
}: SortChoiceProps<Sort>) {
  return (
    <SortSelect
      className="md:hidden"
      value={`${sort} ${order}`}
      onChange={({ target }) => {
        const chosen = choices[target.selectedIndex] ?? choices[0];
        onSort({ sort: chosen.sort, order: chosen.order });
      }}
    >
      {choices.map((one) => (
        <option key={one.name} value={`${one.sort} ${one.order}`}>
          {one.name}
        </option>
      ))}
    </SortSelect>
  );
}
