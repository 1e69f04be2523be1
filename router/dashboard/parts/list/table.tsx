import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type ComponentProps, createContext, type CSSProperties, type ReactNode, use } from 'react';
import { cx } from '../class-names.ts';
import { Dash, Money, When } from '../shown.tsx';

type TableProps = Readonly<{
  /** The name of the table for screen readers. */
  label: string;
  /** A column's name alone, or its name and how it is shown. */
  columns: readonly (string | Column)[];
  /**
   * Cards have three columns of values in place of two, for figures that readers compare from card
   * to card. A missing value keeps its place.
   */
  grid?: boolean;
  /**
   * Cards are two lines: the title and the foremost value, and below them the values that need no
   * name. For lists that readers scan, such as those of requests.
   */
  lines?: boolean;
  children: ReactNode;
}>;

const ALIGNED = { left: 'text-left', center: 'text-center', right: 'text-right' } as const;

export type Column = Readonly<{
  name: string;
  align?: keyof typeof ALIGNED;
  /**
   * What the value is in the card of its row: the title, which is the first value unless a column
   * says otherwise, the value beside the title, or one that needs no name, such as a time.
   */
  card?: 'title' | 'value' | 'plain';
  /** Stands before the name, such as the checkbox that selects all rows. Cards do not have it. */
  lead?: ReactNode;
  /** Only screen readers read the name. */
  hidden?: boolean;
  className?: string;
  /** For a table that people can sort. `order`: null if it is sorted by another column. */
  sorted?: Readonly<{ order: 'asc' | 'desc' | null; onSort: () => void }>;
}>;

/** A column of figures, which are aligned at the right. */
export function numeric(name: string): Column {
  return { name, align: 'right' };
}

/** The most important column of a table, whose value stands beside the title of a card. */
export function foremost(column: string | Column): Column {
  return { ...(typeof column === 'string' ? { name: column } : column), card: 'value' };
}

/** A column whose values need no name in a card. */
export function plain(name: string): Column {
  return { name, card: 'plain' };
}

/** Whether the rows are those of an earlier search or filter, while the asked ones are read. */
export const IsEarlier = createContext(false);

/**
 * For a column and its cells, which are left out where a window has no room for all columns. Cards
 * have them.
 */
export const GIVES_WAY = 'md:max-[85rem]:hidden';

/** For a cell that has the room that the others leave, and cuts its text. */
export const FLEXIBLE = 'md:w-full md:max-w-0';

/** The column of the rows' buttons and menus, which stays in view where a table scrolls. */
export const ACTIONS: Column = { name: 'Actions', hidden: true };

/**
 * A table that is too wide for its place scrolls by itself, without widening the page. On a narrow
 * screen each row is a compact card instead (theme.css): its first line has the title, the foremost
 * value and, in the corner, a last column without a visible name. The other values follow in two
 * columns, each below its name.
 */
export function Table({ label, columns, grid = false, lines = false, children }: TableProps) {
  const isEarlier = use(IsEarlier);
  const headings = columns.map((column) =>
    typeof column === 'string' ? { name: column } : column,
  ) satisfies readonly Column[];
  const title = headings.findIndex(({ card }) => card === 'title') + 1 || 1;
  const value = headings.findIndex(({ card }) => card === 'value') + 1;
  const hasCorner = headings.at(-1)?.hidden === true;
  return (
    // `relative` contains visually hidden elements, whose absolute position could widen the page. A
    // ring around it would be cut by the panel.
    <div
      className={cx(
        'relative overflow-x-auto transition-opacity focus-visible:-outline-offset-2',
        isEarlier && 'opacity-60',
        // What gets the focus is not below the last column, which stays in view.
        hasCorner && 'md:scroll-pr-20',
      )}
      aria-busy={isEarlier || undefined}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table
        className="cards w-full border-collapse text-sm"
        data-corner={hasCorner ? '' : undefined}
        data-title={title}
        data-value={value}
        data-grid={grid ? '' : undefined}
        data-lines={lines ? '' : undefined}
        style={namesOf(headings, title)}
      >
        <thead className="border-y bg-sunken/60 text-xs text-muted">
          <tr>
            {headings.map((heading) => (
              <Heading key={heading.name} {...heading} />
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </div>
  );
}

/** The names of the columns, as the style of the cards reads them. */
function namesOf(headings: readonly Column[], title: number): CSSProperties {
  return Object.fromEntries(
    headings
      .map(({ name, hidden = false, card }, index) => [index + 1, hidden || card ? null : name])
      .filter(([nth, name]) => nth !== title && name !== null)
      .map(([nth, name]) => [`--column-${nth}`, JSON.stringify(name)]),
  );
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

function Heading({ name, align = 'left', lead, hidden = false, className, sorted }: Column) {
  const order = sorted?.order ?? null;
  const heading =
    sorted !== undefined ? (
      <SortButton order={order} onSort={sorted.onSort}>
        {name}
      </SortButton>
    ) : hidden ? (
      <span className="sr-only">{name}</span>
    ) : (
      name
    );
  return (
    <th
      scope="col"
      aria-sort={order === null ? undefined : ARIA_SORT[order]}
      className={cx(
        'px-3 py-2 font-medium whitespace-nowrap first:pl-5 last:pr-5',
        DENSE,
        ALIGNED[align],
        className,
      )}
    >
      {!lead ? (
        heading
      ) : (
        <span className="flex items-center gap-3">
          {lead}
          {heading}
        </span>
      )}
    </th>
  );
}

/** Beside the navigation, a laptop has less room. */
const DENSE = 'lg:max-[87.5rem]:px-2';

type SortButtonProps = Readonly<{
  order: 'asc' | 'desc' | null;
  onSort: () => void;
  children: string;
}>;

function SortButton({ order, onSort, children }: SortButtonProps) {
  const Arrow = order === null ? ChevronsUpDown : order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      onClick={onSort}
      className={cx('inline-flex items-center gap-1 hover:text-ink', order !== null && 'text-ink')}
    >
      {children}
      <Arrow aria-hidden className="size-3 shrink-0" />
    </button>
  );
}

type CellProps = ComponentProps<'td'> &
  Readonly<{
    right?: boolean;
    /** In a card of two lines, the cell has the room that the others leave, or is left out. */
    inLines?: 'flexible' | 'none';
  }>;

/**
 * A cell. The dash that formats have for a missing value is a `Dash`, which cards leave out unless
 * the table has `grid`.
 */
export function Td({ right = false, inLines, className, children, ...rest }: CellProps) {
  return (
    <td
      data-in-lines={inLines}
      className={cx(
        'px-3 py-2.5 align-middle first:pl-5 last:pr-5',
        DENSE,
        right && 'text-right tabular-nums',
        className,
      )}
      {...rest}
    >
      {children === '–' ? <Dash /> : children}
    </td>
  );
}

/** A cell with one amount. */
export function MoneyCell(money: ComponentProps<typeof Money>) {
  return (
    <Td right>
      <Money {...money} />
    </Td>
  );
}

/** A cell with one instant. */
export function TimeCell(time: ComponentProps<typeof When>) {
  return (
    // A relative time begins with a word, such as "just now".
    <Td className="first-letter:uppercase">
      <When {...time} />
    </Td>
  );
}
