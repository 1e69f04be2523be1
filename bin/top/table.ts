/**
 * The table of workers: its columns as data, its sorted rows, and lines as wide as the terminal.
 */
import { fit, widthOf } from '../printable.ts';
import { hitShare, type Row, type Totals } from './reading.ts';

export type Order = 'name' | 'running' | 'waiting' | 'kv' | 'hit' | 'tokens';

/** The `s` key goes through them in this order. */
export const ORDERS: readonly Order[] = ['name', 'tokens', 'running', 'waiting', 'kv', 'hit'];

type Column = Readonly<{
  title: string;
  /** Width in cells. Null: the cells that the other columns leave. */
  width: number | null;
  fill: 'after' | 'before';
  order: Order | null;
  text: (row: Row) => string;
}>;

const COLUMNS: readonly Column[] = [
  { title: 'WORKER', width: null, fill: 'after', order: 'name', text: ({ name }) => name },
  { title: 'REGION', width: 6, fill: 'after', order: null, text: ({ region }) => region },
  { title: 'PHASE', width: 9, fill: 'after', order: null, text: ({ phase }) => phase },
  number('RUN', 4, 'running', ({ running }) => short(running)),
  number('WAIT', 4, 'waiting', ({ waiting }) => short(waiting)),
  number('KV', 4, 'kv', ({ kvUse }) => percent(kvUse)),
  number('HIT', 4, 'hit', (row) => percent(hitShare(row))),
  number('TOK/S', 5, 'tokens', ({ tokensPerSecond }) => short(tokensPerSecond)),
  number('GPU', 4, null, ({ gpuUse }) => percent(gpuUse)),
  { title: 'AGENT', width: 7, fill: 'after', order: null, text: ({ version }) => version },
  { title: 'MODELS', width: null, fill: 'after', order: null, text: ({ models }) => named(models) },
];

function number(title: string, width: number, order: Order | null, text: Column['text']): Column {
  return { title, width, fill: 'before', order, text };
}

const RANKS: Readonly<Record<Order, (row: Row) => number>> = {
  name: () => 0,
  running: ({ running }) => running,
  waiting: ({ waiting }) => waiting,
  kv: ({ kvUse }) => kvUse,
  hit: (row) => hitShare(row) ?? -1,
  tokens: ({ tokensPerSecond }) => tokensPerSecond,
};

/** Sorts the rows: highest first, and equal rows by name, so that they keep their places. */
export function sorted(rows: readonly Row[], order: Order): Row[] {
  const rank = RANKS[order];
  return rows.toSorted(
    (a, b) => rank(b) - rank(a) || compare(a.name, b.name) || compare(a.id, b.id),
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export type Cell = Readonly<{ title: string; order: Order | null; text: string }>;

/**
 * Returns the cells of the heading and of each row, fitted into `width` cells a line. If `width` is
 * null, columns are as wide as their texts.
 */
export function tableOf(
  rows: readonly Row[],
  width: number | null,
): { heading: Cell[]; lines: Cell[][] } {
  const widths = widthsFor(rows, width);
  const line = (text: (column: Column) => string) =>
    COLUMNS.flatMap((column, index): Cell[] => {
      const cells = widths[index] as number;
      const { title, order, fill } = column;
      return cells === 0 ? [] : [{ title, order, text: fit(text(column), cells, fill) }];
    });
  return {
    heading: line(({ title }) => title),
    lines: rows.map((row) => line((column) => column.text(row))),
  };
}

export function textOf(cells: readonly Cell[]): string {
  return cells
    .map(({ text }) => text)
    .join(' ')
    .trimEnd();
}

/**
 * Returns the widths of the columns. A worker's name gets what it needs, up to half of what the
 * fixed columns leave, and the models get the rest.
 */
function widthsFor(rows: readonly Row[], width: number | null): number[] {
  const needs = (column: Column) =>
    Math.max(widthOf(column.title), ...rows.map((row) => widthOf(column.text(row))));
  const fixed = COLUMNS.map((column) => column.width ?? 0);
  const left =
    width === null
      ? Number.POSITIVE_INFINITY
      : width - fixed.reduce((total, cells) => total + cells, 0) - (COLUMNS.length - 1);
  const [name, ...others] = COLUMNS as [Column, ...Column[]];
  const models = others.at(-1) as Column;
  const forName = Math.min(needs(name), Math.max(12, Math.floor(left / 2)));
  const forModels = Math.min(needs(models), Math.max(0, left - forName));
  return [forName, ...fixed.slice(1, -1), forModels];
}

export function summary({
  workers,
  ready,
  running,
  waiting,
  tokensPerSecond,
  ...cache
}: Totals): string {
  return [
    `${workers} ${workers === 1 ? 'worker' : 'workers'}, ${ready} ready`,
    `${running} running`,
    `${waiting} waiting`,
    `${short(tokensPerSecond)} tok/s`,
    `prefix hits ${percent(hitShare(cache))}`,
  ].join(' · ');
}

function percent(share: number | null): string {
  if (share === null) return '-';
  return share > 0 && share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`;
}

/** Returns a count in at most four characters: 9999, 12k, 3M. */
function short(count: number): string {
  if (count < 9_999.5) return `${Math.round(count)}`;
  if (count < 999_500) return `${Math.round(count / 1e3)}k`;
  return count < 999.5e6 ? `${Math.round(count / 1e6)}M` : `${Math.round(count / 1e9)}G`;
}

/**
 * Returns the names of models without their namespace, which the models of one line mostly share.
 */
function named(models: readonly string[]): string {
  const names = models.map((model) => model.slice(model.indexOf('/') + 1));
  return names.length > 1 ? `${names.length}: ${names.join(' ')}` : (names[0] ?? '-');
}
