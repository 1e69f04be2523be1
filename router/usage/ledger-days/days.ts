/**
 * The ledger by day: what transfers changed on each day, and the balance before and after. The
 * stored sums and the transfers that are not folded yet are read in one transaction with the
 * balance, so that the closing balance of the newest day is the balance.
 */
import { sql } from 'kysely';
import type { OrganizationId } from '../../../shared/ids.ts';
import { KINDS, type Kind, USAGE_KINDS } from '../../ledger/transfers.ts';
import { StoreUnavailable } from '../../store/errors.ts';
import { joinHalves } from '../../store/halves.ts';
import { type Db, readProcedure } from '../../store/procedure.ts';
import { type DaySum, readFolded, sumTransfers } from './sums.ts';

/**
 * The most transfers that are not folded yet that a query adds up. Beyond it, the query fails as
 * unavailable until a fold has run.
 */
export const UNFOLDED_MAX = 20_000n;
const KIND_COUNT = Object.keys(KINDS).length;

/** The columns of a day. */
export type Column = 'payments' | 'credits' | 'refunds' | 'usage';
const COLUMN_OF: Readonly<Record<Kind, Column>> = {
  payment: 'payments',
  welcome: 'credits',
  adjustment: 'credits',
  refund: 'refunds',
  refund_reversal: 'refunds',
  dispute: 'refunds',
  dispute_reversal: 'refunds',
  usage: 'usage',
  reversal: 'usage',
};

/** A kind that a later version has added counts as other credit. */
export function columnOf(kind: string): Column {
  return Object.hasOwn(COLUMN_OF, kind) ? COLUMN_OF[kind as Kind] : 'credits';
}

export function noChanges(): Record<Column, bigint> {
  return { payments: 0n, credits: 0n, refunds: 0n, usage: 0n };
}

/** A day (UTC) with transfers. Amounts are in pico-USD, and negative if they lower the balance. */
export type LedgerDay = Readonly<
  Record<Column, bigint> & {
    /** Days since 1970. */
    day: number;
    opening: bigint;
    closing: bigint;
    /** How many transfers there are, and how many of them are charges of requests or reversals. */
    transfers: number;
    charges: number;
  }
>;

/** Days from `from` on, before `until`; null: no limit. */
export type DaysQuery = Readonly<{
  organization: OrganizationId;
  from: number | null;
  until: number | null;
  limit: number;
}>;

/** Newest first. `next`: the last day, if there are more before it. */
export type DaysPage = Readonly<{ rows: readonly LedgerDay[]; next: bigint | null }>;

/** Returns null when there is no such organization. */
export const listLedgerDays = readProcedure<DaysQuery, DaysPage | null>(
  'listLedgerDays',
  { heavy: true },
  async (db, { organization, from, until, limit }) => {
    const account = await db
      .selectFrom('accounts')
      .select(['balance', 'transfer_seq'])
      .where('id', '=', organization)
      .executeTakeFirst();
    if (!account) return null;
    const tail = await readTail(db, organization, account.transfer_seq);
    const end = BigInt(until ?? Number.MAX_SAFE_INTEGER);
    const start = BigInt(from ?? 0);
    const later = tail.filter(({ day }) => day >= end);
    const closing =
      account.balance -
      changeOf(later) -
      (until === null ? 0n : await storedFrom(db, organization, end));
    const stored = await db
      .selectFrom('ledger_days')
      .selectAll()
      .where('organization', '=', organization)
      .where('day', '>=', start)
      .where('day', '<', end)
      .orderBy('day', 'desc')
      .limit((limit + 1) * KIND_COUNT)
      .execute();
    const within = tail.filter(({ day }) => day >= start && day < end);
    const days = [...Map.groupBy([...stored, ...within], ({ day }) => day)]
      .toSorted(([a], [b]) => Number(b - a))
      .slice(0, limit + 1);
    const rows: LedgerDay[] = [];
    let balance = closing;
    for (const [day, sums] of days.slice(0, limit)) {
      const row = dayOf(day, sums, balance);
      rows.push(row);
      balance = row.opening;
    }
    return { rows, next: days.length > limit ? (days[limit - 1]?.[0] ?? null) : null };
  },
);

/** Days from `from` on and before `until`, without an end if it is absent. */
type Days = Readonly<{ from: number; until?: number }>;

/** For procedures: the sums of some days. Null when there is no such organization. */
export async function readSums(
  db: Db,
  organization: OrganizationId,
  days: Days,
): Promise<readonly DaySum[] | null> {
  return (await readDays(db, organization, days))?.sums ?? null;
}

/**
 * For procedures: what some days changed, by column, and the balance before and after them. Null
 * when there is no such organization.
 */
export async function readPeriod(
  db: Db,
  organization: OrganizationId,
  days: Days,
): Promise<Readonly<Record<Column | 'opening' | 'closing', bigint>> | null> {
  const read = await readDays(db, organization, days);
  if (!read) return null;
  const since = await storedFrom(db, organization, BigInt(days.from));
  const opening = read.balance - changeOf(read.tail) - since;
  const columns = columnsOf(read.sums);
  return { opening, ...columns, closing: opening + changeOf(read.sums) };
}

/** `tail`: the transfers since `from` that are not folded yet, even those after `until`. */
async function readDays(
  db: Db,
  organization: OrganizationId,
  { from, until }: Days,
): Promise<Readonly<{ balance: bigint; tail: readonly DaySum[]; sums: readonly DaySum[] }> | null> {
  const account = await db
    .selectFrom('accounts')
    .select(['balance', 'transfer_seq'])
    .where('id', '=', organization)
    .executeTakeFirst();
  if (!account) return null;
  const [start, end] = [BigInt(from), BigInt(until ?? Number.MAX_SAFE_INTEGER)];
  const stored = await db
    .selectFrom('ledger_days')
    .selectAll()
    .where('organization', '=', organization)
    .where('day', '>=', start)
    .where('day', '<', end)
    .execute();
  const unfolded = await readTail(db, organization, account.transfer_seq);
  const tail = unfolded.filter(({ day }) => day >= start);
  const sums = [...stored, ...tail.filter(({ day }) => day < end)];
  return { balance: account.balance, tail, sums };
}

/** Sums the transfers that are not folded yet. */
async function readTail(
  db: Db,
  organization: OrganizationId,
  newest: bigint,
): Promise<readonly DaySum[]> {
  const after = await readFolded(db, organization);
  if (newest - after > UNFOLDED_MAX) {
    throw new StoreUnavailable('more transfers wait to be folded than a query may add up');
  }
  return await sumTransfers(db, organization, { after, upTo: newest });
}

/** What all stored days from this one on changed: a few rows for each day. */
async function storedFrom(db: Db, organization: OrganizationId, day: bigint): Promise<bigint> {
  const { rows } = await sql<Record<'high' | 'low', bigint | string | null>>`
    select sum(change_high) as high, sum(change_low) as low from ledger_days
    where organization = ${organization} and day >= ${day}`.execute(db);
  return joinHalves(rows[0]?.high ?? null, rows[0]?.low ?? null);
}

export function changeOf(sums: readonly DaySum[]): bigint {
  return sums.reduce(
    (all, { change_high, change_low }) => all + joinHalves(change_high, change_low),
    0n,
  );
}

function columnsOf(sums: readonly DaySum[]): Record<Column, bigint> {
  const columns = noChanges();
  for (const sum of sums) columns[columnOf(sum.kind)] += changeOf([sum]);
  return columns;
}

function dayOf(day: bigint, sums: readonly DaySum[], closing: bigint): LedgerDay {
  const count = (counted: readonly DaySum[]) =>
    Number(counted.reduce((all, { transfers }) => all + transfers, 0n));
  return {
    day: Number(day),
    opening: closing - changeOf(sums),
    ...columnsOf(sums),
    closing,
    transfers: count(sums),
    charges: count(sums.filter(({ kind }) => USAGE_KINDS.includes(kind))),
  };
}

/**
 * For procedures: the range of numbers in which the transfers of a day and of these kinds are, null
 * if there are none. Other transfers may be among them.
 */
export async function seqsOfDay(
  db: Db,
  organization: OrganizationId,
  day: number,
  isWanted: (kind: string) => boolean,
): Promise<Readonly<{ first: bigint; last: bigint }> | null> {
  const all = await readSums(db, organization, { from: day, until: day + 1 });
  const sums = all?.filter(({ kind }) => isWanted(kind)) ?? [];
  const [one, ...others] = sums;
  if (one === undefined) return null;
  let { first_seq: first, last_seq: last } = one;
  for (const { first_seq, last_seq } of others) {
    if (first_seq < first) first = first_seq;
    if (last_seq > last) last = last_seq;
  }
  return { first, last };
}
