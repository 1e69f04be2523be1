/**
 * What an admin command prints: JSON for scripts, aligned columns for people, CSV for accounts. None has
 * anything in it that a terminal would obey.
 */
import { csvRecord } from '../../shared/csv.ts';
import { printable, printableJson } from '../printable.ts';

/** A row for people: column to text. */
export type Row = Readonly<Record<string, string>>;

export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

export function printJson(value: unknown): Promise<void> {
  return print(`${printableJson(JSON.stringify(value, null, 2))}\n`);
}

/** One thing: a field a line. */
export function printFields(fields: Row): Promise<void> {
  const width = widest(Object.keys(fields));
  const lines = Object.entries(fields).map(
    ([name, text]) => `${name.padEnd(width)}  ${printable(text)}`,
  );
  return print(`${lines.join('\n')}\n`);
}

/** A list as one JSON array, printed as its pages come. */
export async function printJsonArray(pages: AsyncIterable<readonly unknown[]>): Promise<void> {
  let before = '[\n';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    await print(before + rows.map((row) => printableJson(JSON.stringify(row))).join(',\n'));
    before = ',\n';
  }
  await print(before === '[\n' ? '[]\n' : '\n]\n');
}

/** A list as a table, printed as its pages come: a column never gets narrower. */
export async function printTable<Item>(
  pages: AsyncIterable<readonly Item[]>,
  rowOf: (item: Item) => Row,
): Promise<void> {
  let widths: Record<string, number> | null = null;
  for await (const items of pages) {
    const rows = items.map((item) => shown(rowOf(item)));
    if (!rows[0]) continue;
    const columns = Object.keys(rows[0]);
    const heading = Object.fromEntries(columns.map((name) => [name, name.toUpperCase()]));
    const printed: Row[] = widths ? rows : [heading, ...rows];
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

/** A list as CSV, printed as its pages come: all rows have the columns of the first line. */
export async function printCsv<Item>(
  pages: AsyncIterable<readonly Item[]>,
  columns: readonly (keyof Item & string)[],
): Promise<void> {
  await print(csvRecord(columns));
  for await (const items of pages) {
    await print(
      items.map((item) => csvRecord(columns.map((name) => String(item[name] ?? '')))).join(''),
    );
  }
}

function line(row: Row, widths: Readonly<Record<string, number>>): string {
  const cells = Object.entries(widths).map(([name, width]) => (row[name] ?? '').padEnd(width));
  return `${cells.join('  ').trimEnd()}\n`;
}

function shown(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, text]) => [name, printable(text)]));
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}
