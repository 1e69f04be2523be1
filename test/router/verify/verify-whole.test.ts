/**
 * T27: changes every stored number and deletes every row, one at a time. `ledger verify` names each
 * change.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { CellReader, CellWriter } from '../../../router/usage/rollups/cells.ts';
import { noSums, REQUESTS } from '../../../router/usage/rollups/sums.ts';
import { NUMBERS, ROWS } from '../../../router/verify/proofs.ts';
import { DIALECT } from '../../support/store.ts';
import { WholeBooks } from './whole-books.ts';

type Value = string | bigint | Uint8Array | null;
type Row = Readonly<Record<string, Value>>;
type Column = Readonly<{ table: string; column: string; type: string; key: bigint }>;

let books: WholeBooks;
let columns: readonly Column[];
beforeAll(async () => {
  books = await WholeBooks.make();
  columns = await readColumns();
  for (const table of Object.keys(ROWS)) {
    await books.rig.sql(`CREATE TABLE good_${table} AS SELECT * FROM ${table}`);
  }
});
afterEach(async () => {
  await restore(...Object.keys(ROWS));
  await books.rig.check();
});
afterAll(() => books[Symbol.asyncDispose]());

async function readColumns(): Promise<readonly Column[]> {
  const found = await books.rig.sql(
    DIALECT === 'sqlite'
      ? `SELECT m.name AS "table", c.name AS "column", lower(c.type) AS type, c.pk AS key
         FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'`
      : `SELECT c.table_name AS "table", c.column_name AS "column", c.data_type AS type,
           (SELECT count(*) FROM information_schema.key_column_usage k
            JOIN information_schema.table_constraints t USING (constraint_name, table_name)
            WHERE t.constraint_type = 'PRIMARY KEY' AND k.table_name = c.table_name
              AND k.column_name = c.column_name) AS key
         FROM information_schema.columns c WHERE c.table_schema = 'public'`,
  );
  return (found as Column[]).filter(({ table }) => !/^(kysely|sqlite|good)_/.test(table));
}

test('every table and every number of the store stands in the list of what is proven', () => {
  const tables = new Set(columns.map(({ table }) => table));
  expect(Object.keys(ROWS).toSorted()).toEqual([...tables].toSorted());
  const numbers = columns.filter(({ type }) => type !== 'text');
  const listed = Object.entries(NUMBERS).flatMap(([table, of]) =>
    Object.keys(of).map((column) => `${table}.${column}`),
  );
  expect(listed.toSorted()).toEqual(
    numbers.map(({ table, column }) => `${table}.${column}`).toSorted(),
  );
});

/** Rows in which a number is not proven, with the reason. */
const NOT: Readonly<Record<string, string>> = {
  // The token counts of a free request are charged to nobody.
  'usage.prompt_tokens': `outcome = 'voided'`,
  'usage.cached_tokens': `outcome = 'voided'`,
  'usage.completion_tokens': `outcome = 'voided'`,
  // Reasoning tokens are not charged, so nothing proves the number before it is folded.
  'usage.reasoning_tokens': `outcome = 'voided' OR seq > (SELECT folded_seq FROM usage_folds f
    WHERE f.organization = usage.organization) OR organization NOT IN (
    SELECT organization FROM usage_folds)`,
  // The usage rows behind the charges of a month may have been deleted.
  'meters.spent': `organization IN (SELECT organization FROM forgotten_usage)`,
  'meters.before_day': `organization IN (SELECT organization FROM forgotten_usage)`,
  'meters.month': `organization IN (SELECT organization FROM forgotten_usage)`,
  // Fine-grained rollups are deleted over time.
  'usage_rollups.level': `level < 2`,
  'usage_rollups.chunk': `level < 2`,
  'usage_rollups.cells': `level < 2`,
  usage_rollups: `level < 2`,
  // The usage row itself proves it, until it has been folded.
  usage_reversals: `request IN (SELECT u.request FROM usage u JOIN usage_folds f
    ON f.organization = u.organization WHERE u.seq > f.folded_seq)`,
};

const isProven = (proof: object | undefined) => proof !== undefined && 'by' in proof;

const CHANGED = Object.entries(NUMBERS).flatMap(([table, of]) =>
  Object.entries(of).flatMap(([column, proof]) => (isProven(proof) ? [[table, column]] : [])),
) as [string, string][];

test.each(CHANGED)('T27: %s.%s changed by one is named', async (table, column) => {
  const rows = await readRows(table, `${column} IS NOT NULL`, NOT[`${table}.${column}`]);
  let changed = 0;
  const some = spread(rows);
  for (const row of [...some, ...rows]) {
    if (changed >= some.length) break;
    const set = `UPDATE ${table} SET ${column} = ${raised(row[column] ?? null)} WHERE ${keyOf(table, row)}`;
    // Skips a change that a unique index refuses: another row already has that number.
    if (!(await isDone(set))) continue;
    changed++;
    await expectNamed(table, row, set);
    await restore(table);
  }
  expect(changed).toBeGreaterThan(0);
});

const DELETED = Object.entries(ROWS).flatMap(([table, proof]) => (isProven(proof) ? [table] : []));

test.each([...DELETED, 'usage_rollups'])('T27: a row of %s deleted is named', async (table) => {
  const rows = await readRows(table, 'TRUE', NOT[table]);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of spread(rows)) {
    const gone = `DELETE FROM ${table} WHERE ${keyOf(table, row)}`;
    await books.rig.sql(gone);
    await expectNamed(table, row, gone);
    await restore(table);
  }
});

/** Rows together with the rows that belong to them. `$` stands for the row's id. */
const WITH_ALL: readonly (readonly [table: string, where: string, more: readonly string[]])[] = [
  ['invoices', 'TRUE', [`invoice_lines WHERE invoice = '$'`]],
  ['payments', 'paid IS NOT NULL', [`refunds WHERE payment = '$'`]],
  [
    'payments',
    'paid IS NOT NULL',
    [
      `refunds WHERE payment = '$'`,
      `payment_events WHERE transfer IN (SELECT id FROM transfers WHERE reference = '$')`,
    ],
  ],
  ['organizations', 'TRUE', [`accounts WHERE id = '$'`]],
  [
    'accounts',
    'TRUE',
    [
      `transfers WHERE organization = '$'`,
      `usage WHERE organization = '$'`,
      `holds WHERE organization = '$'`,
      `meters WHERE organization = '$'`,
    ],
  ],
];

test.each(WITH_ALL)(
  'T27: a row of %s (%s) deleted with its own is named',
  async (table, where, more) => {
    for (const row of await readRows(table, where)) {
      const own = more.map((rest) => `DELETE FROM ${rest.replaceAll('$', String(row['id']))}`);
      await books.rig.sql(...own, `DELETE FROM ${table} WHERE ${keyOf(table, row)}`);
      await expectNamed(table, row, own.join('; '));
      await restore(table, ...more.map((rest) => rest.split(' ')[0] as string));
    }
  },
);

test('T27: a usage row deleted with its charge is named', async () => {
  for (const row of spread(await readRows('usage', 'transfer IS NOT NULL'))) {
    const request = literal(row['request'] ?? null);
    await books.rig.sql(
      `DELETE FROM transfers WHERE reference = ${request}`,
      `DELETE FROM usage WHERE request = ${request}`,
    );
    await expectNamed('usage', row, 'a usage row with its charge');
    await restore('transfers', 'usage');
  }
});

const STATES: readonly (readonly [table: string, set: string, where: string])[] = [
  ['usage', `outcome = 'voided'`, `outcome = 'settled' AND cost > 0`],
  ['usage', `outcome = 'settled'`, `outcome = 'voided' AND transfer IS NOT NULL`],
  ['organizations', `billing = 'invoiced'`, `billing = 'prepaid'`],
  ['organizations', `billing = 'prepaid'`, `billing = 'invoiced'`],
  ['invoices', `status = 'paid'`, `status = 'open'`],
  ['invoices', `status = 'open'`, `status <> 'open'`],
  ['invoices', `status = 'void'`, `status <> 'void'`],
  ['payments', `state = 'failed'`, `state = 'succeeded'`],
  ['refunds', `state = 'failed'`, `state <> 'failed'`],
  ['refunds', `state = 'succeeded'`, `state = 'failed'`],
  ['transfers', `kind = 'adjustment'`, `kind <> 'adjustment'`],
];

test.each(STATES)(
  'T27: a state of %s changed, %s where %s, is named',
  async (table, set, where) => {
    const rows = await readRows(table, where);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of spread(rows)) {
      await books.rig.sql(`UPDATE ${table} SET ${set} WHERE ${keyOf(table, row)}`);
      await expectNamed(table, row, set);
      await restore(table);
    }
  },
);

async function readRows(table: string, where: string, not?: string): Promise<readonly Row[]> {
  const but = not === undefined ? '' : ` AND NOT (${not})`;
  return (await books.rig.sql(
    `SELECT * FROM ${table} WHERE (${where})${but} ORDER BY ${keys(table)}`,
  )) as Row[];
}

const ROWS_MAX = 6;

/** Returns a sample of the rows, including the first and the last. */
function spread(rows: readonly Row[]): readonly Row[] {
  const step = Math.max(1, (rows.length - 1) / (ROWS_MAX - 1));
  const places = Array.from({ length: Math.min(ROWS_MAX, rows.length) }, (_, n) =>
    Math.round(n * step),
  );
  return rows.filter((_, place) => places.includes(place));
}

function keys(table: string): string {
  const of = columns.filter((column) => column.table === table && column.key > 0n);
  return of.map(({ column }) => column).join(', ');
}

function keyOf(table: string, row: Row): string {
  return keys(table)
    .split(', ')
    .map((column) => `${column} = ${literal(row[column] ?? null)}`)
    .join(' AND ');
}

function literal(value: Value): string {
  if (value === null) return 'NULL';
  return typeof value === 'bigint' ? String(value) : `'${String(value)}'`;
}

function raised(value: Value): string {
  if (typeof value === 'bigint') return String(value + 1n);
  if (!(value instanceof Uint8Array)) throw new Error(`${typeof value} cannot be raised`);
  const hex = Buffer.from(oneMore(value)).toString('hex');
  return DIALECT === 'sqlite' ? `X'${hex}'` : `'\\x${hex}'`;
}

/** Returns a chunk with one more request in its first cell. */
function oneMore(cells: Uint8Array): Uint8Array {
  const [reader, writer] = [new CellReader(cells), new CellWriter()];
  writer.begin();
  for (let first = true; reader.next(); first = false) {
    if (!first) {
      writer.copy(reader.place, reader.raw());
      continue;
    }
    const [sums, touched] = [noSums(), [] as number[]];
    reader.addTo(sums, true, touched);
    const last = touched.at(-1) as number;
    sums[REQUESTS] = (sums[REQUESTS] as number) + 1;
    sums[last] = (sums[last] as number) + 1;
    writer.add(reader.place, sums, touched);
  }
  const changed = writer.end();
  if (!changed) throw new Error('an empty chunk');
  return changed;
}

async function isDone(statement: string): Promise<boolean> {
  try {
    await books.rig.sql(statement);
    return true;
  } catch (error) {
    expect(String(error)).toMatch(/unique/i);
    return false;
  }
}

/** Expects `verify` to name the row by its own id or by its owner's. */
async function expectNamed(table: string, row: Row, done: string): Promise<void> {
  const { differences } = await books.rig.verify();
  const names = Object.values(row).filter((value) => {
    return typeof value === 'string' && /^(?:[a-z]{3}_|customer:)/.test(value);
  });
  if (typeof row['organization'] === 'string') {
    const bills = `SELECT id FROM good_invoices WHERE organization = '${row['organization']}'`;
    for (const { id } of (await books.rig.sql(bills)) as { id: string }[]) names.push(id);
  }
  const named = differences.filter(
    (text) => text.startsWith(`${table}: `) || names.some((name) => text.includes(String(name))),
  );
  expect(named, `${done} (${table}): ${differences.join('; ')}`).not.toEqual([]);
}

async function restore(...tables: readonly string[]): Promise<void> {
  await books.rig.sql(
    ...tables.flatMap((table) => [
      `DELETE FROM ${table}`,
      `INSERT INTO ${table} SELECT * FROM good_${table}`,
    ]),
  );
}
