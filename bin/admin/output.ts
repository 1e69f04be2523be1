/**
 * Prints the results of admin commands: JSON for scripts, aligned columns for people, CSV for
 * accounting. None of them contains anything that a terminal would interpret.
 */
import { csvRecord } from '../../shared/csv.ts';
import { printable, printableJson } from '../printable.ts';

/** A list, page by page. */
export type Pages<Item> = Iterable<readonly Item[]> | AsyncIterable<readonly Item[]>;

/** A row for people, from column names to values. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;
type TextRow = Readonly<Record<string, string>>;

export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

export function printJson(value: unknown): Promise<void> {
  return print(`${printableJson(JSON.stringify(value, null, 2))}\n`);
}

/** Prints one item, one field per line. */
export function printFields(fields: Row): Promise<void> {
  const width = widest(Object.keys(fields));
  const lines = Object.entries(fields).map(
    ([name, value]) => `${name.padEnd(width)}  ${shown(value)}`,
  );
  return print(`${lines.join('\n')}\n`);
}

/** Prints a list as one JSON array, page by page. */
export async function printJsonArray(pages: Pages<unknown>): Promise<void> {
  let before = '[\n';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    await print(before + rows.map((row) => printableJson(JSON.stringify(row))).join(',\n'));
    before = ',\n';
  }
  await print(before === '[\n' ? '[]\n' : '\n]\n');
}

/** Prints a list as a table, page by page. Columns may get wider, but never narrower. */
export async function printTable<Item>(
  pages: Pages<Item>,
  rowOf: (item: Item) => Row,
): Promise<void> {
  let widths: Record<string, number> | null = null;
  for await (const items of pages) {
    const rows = items.map((item) => textRow(rowOf(item)));
    if (!rows[0]) continue;
    const columns = Object.keys(rows[0]);
    const heading = Object.fromEntries(columns.map((name) => [name, name.toUpperCase()]));
    const printed: TextRow[] = widths ? rows : [heading, ...rows];
    const before: Record<string, number> = widths ?? {};
    widths = Object.fromEntries(
      columns.map((name) => [
        name,
        Math.max(before[name] ?? 0, widest(printed.map((row) => row[name] ?? ''))),
      ]),
    );
    await print(printed.map((row) => line(row, widths ?? {})).join(''));
  }
  if (!widths) await print('none\n');
}

/** Prints a list as CSV, page by page. The first line names the columns of all rows. */
export async function printCsv<Item>(
  pages: Pages<Item>,
  columns: readonly (keyof Item & string)[],
): Promise<void> {
  await print(csvRecord(columns));
  for await (const items of pages) {
    await print(
      items
        .map((item) => csvRecord(columns.map((name) => printable(String(item[name] ?? '')))))
        .join(''),
    );
  }
}

function line(row: TextRow, widths: Readonly<Record<string, number>>): string {
  const cells = Object.entries(widths).map(([name, width]) => (row[name] ?? '').padEnd(width));
  return `${cells.join('  ').trimEnd()}\n`;
}

function textRow(row: Row): TextRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shown(value)]));
}

function shown(value: string | number | boolean | null): string {
  if (value === null) return '-';
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : printable(String(value));
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}
