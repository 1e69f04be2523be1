/** HOT PATH: writes what a unit of work has changed, in one round trip. */
import type { BatchConnection } from '../../store/procedure.ts';
import type {
  AccountRow,
  HoldRow,
  MemberCapRow,
  MeterRow,
  TransferRow,
  UsageRow,
  WindowRow,
} from '../../store/schema/ledger.ts';
import type { IdempotencyKeyRow } from '../../store/schema/payments.ts';
import { CLAIMS, type Columns, HOLDS, METERS, namesOf, TRANSFERS, USAGE } from '../columns.ts';
import type { Changes } from '../unit-of-work.ts';

/** A change of one table. Its rows come as one array per column; in the statement they are `u`. */
type Change<Row> = Readonly<{
  columns: readonly (keyof Row & string)[];
  types: readonly string[];
  text: (rows: string, names: string) => string;
}>;

function change<Row>(
  columns: Partial<Columns<Row>>,
  text: (rows: string, names: string) => string,
): Change<Row> {
  const names = namesOf(columns as Columns<Row>);
  return { columns: names, types: names.map((name) => columns[name] as string), text };
}

function insertInto<Row>(table: string, columns: Columns<Row>): Change<Row> {
  return change(
    columns,
    (rows, names) => `INSERT INTO ${table} (${names}) SELECT ${names} FROM ${rows}`,
  );
}

const setAccounts = change<AccountRow>(
  {
    id: 'text',
    balance: 'int8',
    held: 'int8',
    reserve: 'int8',
    open: 'int8',
    transfer_seq: 'int8',
    usage_seq: 'int8',
  },
  (rows) => `UPDATE accounts a SET balance = u.balance, held = u.held, reserve = u.reserve,
    open = u.open, transfer_seq = u.transfer_seq, usage_seq = u.usage_seq
    FROM ${rows} WHERE a.id = u.id`,
);
const setMeters = change<MeterRow>(
  METERS,
  (rows, names) => `INSERT INTO meters (${names}) SELECT ${names} FROM ${rows}
    ON CONFLICT (key) DO UPDATE SET month = excluded.month, spent = excluded.spent,
      held = excluded.held, open = excluded.open, day_from = excluded.day_from,
      before_day = excluded.before_day`,
);
const setMemberCaps = change<MemberCapRow>(
  { member: 'text', month: 'int8', spent: 'int8', day_from: 'int8', before_day: 'int8' },
  (rows) => `UPDATE member_caps c SET month = u.month, spent = u.spent, day_from = u.day_from,
    before_day = u.before_day FROM ${rows} WHERE c.member = u.member`,
);
const setWindows = change<WindowRow>(
  { subject: 'text', organization: 'text', counts: 'text', slot: 'int8' },
  (rows, names) => `INSERT INTO windows (${names}) SELECT ${names} FROM ${rows}
    ON CONFLICT (subject) DO UPDATE SET counts = excluded.counts, slot = excluded.slot`,
);
const closeHolds = change<Pick<HoldRow, 'request'>>(
  { request: 'text' },
  (rows) => `DELETE FROM holds h USING ${rows} WHERE h.request = u.request`,
);
const openHolds = insertInto<HoldRow>('holds', HOLDS);
const growHolds = change<HoldRow>(
  { request: 'text', amount: 'int8' },
  (rows) => `UPDATE holds h SET amount = u.amount FROM ${rows} WHERE h.request = u.request`,
);
const addTransfers = insertInto<TransferRow>('transfers', TRANSFERS);
const addUsage = insertInto<UsageRow>('usage', USAGE);
/** Records what a row was before, since the rollups may have folded it already. */
const noteReversals = change<Changes['reversals'][number]>(
  { request: 'text' },
  (rows) => `INSERT INTO usage_reversals (request, organization, status, cost)
    SELECT t.request, t.organization, t.status, t.cost FROM ${rows}
      JOIN usage t ON t.request = u.request`,
);
const reverseUsage = change<Changes['reversals'][number]>(
  { request: 'text', finish_reason: 'text', status: 'int8', error: 'text' },
  (rows) => `UPDATE usage t SET outcome = 'voided', cost = 0, finish_reason = u.finish_reason,
    status = u.status, error = u.error FROM ${rows} WHERE t.request = u.request`,
);

const removeClaims = change<Pick<IdempotencyKeyRow, 'digest'>>(
  { digest: 'text' },
  (rows) => `DELETE FROM idempotency_keys k USING ${rows} WHERE k.digest = u.digest`,
);
const addClaims = insertInto<IdempotencyKeyRow>('idempotency_keys', CLAIMS);

/**
 * Writes all tables in one statement, since each further statement costs as much as its rows. A
 * change of a row that the first statement has just written goes into a second one: a hold that was
 * closed and opened again, a claim that was given up and made again, or a charge that was reversed
 * in its own batch.
 */
export async function writeChanges(connection: BatchConnection, changes: Changes): Promise<void> {
  const { closed, opened, reversals, unclaimed, claimed } = changes;
  const first = new Statement();
  const then = new Statement();
  first.add('a', setAccounts, changes.accounts);
  first.add('m', setMeters, changes.meters);
  first.add('p', setMemberCaps, changes.memberCaps);
  first.add('w', setWindows, changes.windows.map(windowRow));
  const gone = new Set(closed);
  const isReopened = opened.some(({ request }) => gone.has(request));
  const holds = closed.map((request) => ({ request }));
  first.add('c', closeHolds, holds);
  (isReopened ? then : first).add('o', openHolds, opened);
  first.add('g', growHolds, changes.grown);
  first.add('t', addTransfers, changes.transfers);
  first.add('u', addUsage, changes.usage);
  first.add(
    'd',
    removeClaims,
    unclaimed.map((digest) => ({ digest })),
  );
  (unclaimed.length > 0 ? then : first).add('k', addClaims, claimed);
  then.add('n', noteReversals, reversals);
  then.add('r', reverseUsage, reversals);
  await Promise.all([first.send(connection), then.send(connection)]);
}

/** Changes of several tables in one statement, prepared once for each set of tables. */
class Statement {
  #name = 'write ';
  readonly #parts: string[] = [];
  readonly #values: unknown[][] = [];

  add<Row>(letter: string, { columns, types, text }: Change<Row>, rows: readonly Row[]): void {
    if (rows.length === 0) return;
    const from = this.#values.length + 1;
    const arrays = types.map((type, index) => `$${from + index}::${type}[]`);
    const names = columns.join(', ');
    this.#parts.push(text(`unnest(${arrays.join(', ')}) AS u(${names})`, names));
    this.#name += letter;
    for (const column of columns) this.#values.push(rows.map((row) => row[column]));
  }

  async send(connection: BatchConnection): Promise<void> {
    const last = this.#parts.pop();
    if (last === undefined) return;
    const before = this.#parts.map((part, index) => `c${index} AS (${part})`);
    const text = before.length > 0 ? `WITH ${before.join(', ')} ${last}` : last;
    await connection.query({ name: this.#name, text, values: this.#values });
  }
}

function windowRow([subject, organization, window]: Changes['windows'][number]): WindowRow {
  const counts = JSON.stringify([
    fromFirst(window.counts('requests')),
    fromFirst(window.counts('tokens')),
    fromFirst(window.counts('waived')),
  ]);
  return { subject, organization, counts, slot: BigInt(window.newest) };
}

/** Leaves out the oldest slots, up to the first in which anything was counted. */
function fromFirst(counts: readonly number[]): readonly number[] {
  const first = counts.findIndex((count) => count !== 0);
  return first < 0 ? [] : counts.slice(first);
}
