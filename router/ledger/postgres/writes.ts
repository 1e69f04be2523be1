/** HOT PATH: what a page has changed, as one statement a table. */
import type { LaneConnection } from '../../store/procedure.ts';
import type { Changes } from '../page.ts';
import { type Columns, HOLDS, METERS, namesOf, TRANSFERS, USAGE } from '../columns.ts';
import type { AccountRow, HoldRow, MeterRow, UsageRow, WindowRow } from '../../store/schema.ts';

type Statement<Row> = Readonly<{
  name: string;
  text: string;
  values: (rows: readonly Row[]) => unknown[][];
}>;

/** Rows as columns, each one array: `u` in the statement. */
function statement<Row>(
  name: string,
  columns: Partial<Columns<Row>>,
  text: (rows: string, names: string) => string,
): Statement<Row> {
  const names = namesOf(columns as Columns<Row>);
  const arrays = names.map((column, index) => `$${index + 1}::${columns[column]}[]`);
  const rows = `unnest(${arrays.join(', ')}) AS u(${names.join(', ')})`;
  return {
    name,
    text: text(rows, names.join(', ')),
    values: (all) => names.map((column) => all.map((row) => row[column])),
  };
}

function insert<Row>(table: string, columns: Columns<Row>): Statement<Row> {
  return statement(
    `insert ${table}`,
    columns,
    (rows, names) => `INSERT INTO ${table} (${names}) SELECT * FROM ${rows}`,
  );
}

const ACCOUNT = {
  id: 'text',
  balance: 'int8',
  held: 'int8',
  reserve: 'int8',
  open: 'int8',
  transfer_seq: 'int8',
  usage_seq: 'int8',
} as const satisfies Partial<Columns<AccountRow>>;
const setAccounts = statement<AccountRow>(
  'set accounts',
  ACCOUNT,
  (rows) => `UPDATE accounts a SET balance = u.balance, held = u.held, reserve = u.reserve,
    open = u.open, transfer_seq = u.transfer_seq, usage_seq = u.usage_seq
    FROM ${rows} WHERE a.id = u.id`,
);
const setMeters = statement<MeterRow>(
  'set meters',
  METERS,
  (rows, names) => `INSERT INTO meters (${names}) SELECT * FROM ${rows}
    ON CONFLICT (key) DO UPDATE SET month = excluded.month, spent = excluded.spent,
      held = excluded.held, open = excluded.open`,
);
const setWindows = statement<WindowRow>(
  'set windows',
  { subject: 'text', organization: 'text', counts: 'text', slot: 'int8' },
  (rows, names) => `INSERT INTO windows (${names}) SELECT * FROM ${rows}
    ON CONFLICT (subject) DO UPDATE SET counts = excluded.counts, slot = excluded.slot`,
);
const openHolds = insert('holds', HOLDS);
const growHolds = statement<HoldRow>(
  'grow holds',
  { request: 'text', amount: 'int8' },
  (rows) => `UPDATE holds h SET amount = u.amount FROM ${rows} WHERE h.request = u.request`,
);
const addTransfers = insert('transfers', TRANSFERS);
const addUsage = insert('usage', USAGE);
const reverseUsage = statement<Pick<UsageRow, 'request' | 'finish_reason' | 'status' | 'error'>>(
  'reverse usage',
  { request: 'text', finish_reason: 'text', status: 'int8', error: 'text' },
  (rows) => `UPDATE usage t SET outcome = 'voided', cost = 0, finish_reason = u.finish_reason,
    status = u.status, error = u.error FROM ${rows} WHERE t.request = u.request`,
);

/** All of it is sent at once; it fails as one. */
export async function writeChanges(connection: LaneConnection, changes: Changes): Promise<void> {
  const sent: Promise<unknown>[] = [];
  const send = <Row>({ name, text, values }: Statement<Row>, rows: readonly Row[]) => {
    if (rows.length > 0) sent.push(connection.query({ name, text, values: values(rows) }));
  };
  send(setAccounts, changes.accounts);
  send(setMeters, changes.meters);
  send(setWindows, changes.windows.map(windowRow));
  if (changes.closed.length > 0) {
    const text = 'DELETE FROM holds WHERE request = ANY($1::text[])';
    sent.push(connection.query({ name: 'close holds', text, values: [changes.closed] }));
  }
  send(openHolds, changes.opened);
  send(growHolds, changes.grown);
  send(addTransfers, changes.transfers);
  send(addUsage, changes.usage);
  send(reverseUsage, changes.reversals);
  await Promise.all(sent);
}

function windowRow([subject, organization, window]: Changes['windows'][number]): WindowRow {
  const counts = JSON.stringify([
    fromFirst(window.counts('requests')),
    fromFirst(window.counts('tokens')),
  ]);
  return { subject, organization, counts, slot: BigInt(window.newest) };
}

/** Without the slots of old in which nothing was counted. */
function fromFirst(counts: readonly number[]): readonly number[] {
  const first = counts.findIndex((count) => count !== 0);
  return first < 0 ? [] : counts.slice(first);
}
