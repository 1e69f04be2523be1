/**
 * Deletes usage rows after their retention time (decision 0011), in slices, in the order of their
 * numbers. One row of each organization keeps what `ledger verify` needs of them: the count and the
 * sum of their charges.
 */
import { sql } from 'kysely';
import type { OrganizationId } from '../../../shared/ids.ts';
import { halvesOf } from '../../store/halves.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { ForgottenUsageRow } from '../../store/schema/ledger.ts';
import { forgettableSeq } from './bound.ts';

export type ForgetInput = Readonly<{
  organization: OrganizationId;
  /** Only rows that arrived before this are deleted; ms since the epoch. */
  before: number;
  rows: number;
}>;

/**
 * Deletes at most `rows` usage rows and answers how many. It stops at the first row that must be
 * kept. Rows are numbered in the order in which requests ended, so a later row may have arrived
 * before `before`; it is deleted another time.
 */
export const forgetUsage = writeProcedure<ForgetInput, number>(
  'forgetUsage',
  async (db, { organization, before, rows }) => {
    const known = await readForgotten(db, organization);
    const seq = known?.seq ?? 0n;
    const old = await readOldest(db, { organization, seq, before, rows });
    const last = old.at(-1);
    if (!last) return 0;
    const next = old.reduce(addRow, known ?? nothingOf(organization));
    // Another router was faster, and has counted these rows already.
    if (!(await write(db, known, next))) return 0;
    await db
      .deleteFrom('usage')
      .where('organization', '=', organization)
      .where('seq', '>', seq)
      .where('seq', '<=', last.seq)
      .execute();
    return old.length;
  },
);

/** Lists the organizations whose oldest row arrived before `before`, by id, after `after`. */
export const findForgettable = readProcedure<
  Readonly<{ before: number; after: OrganizationId | null; limit: number }>,
  readonly OrganizationId[]
>('findForgettable', async (db, { before, after, limit }) => {
  const { rows } = await sql<{ id: OrganizationId }>`
      select a.id from accounts a
        left join forgotten_usage f on f.organization = a.id
        join usage u on u.organization = a.id and u.seq = coalesce(f.seq, 0) + 1
      where u.created < ${milliseconds(before)} and a.id > ${after ?? ''}
      order by a.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
});

type OldRow = Readonly<{
  seq: bigint;
  created: bigint;
  outcome: 'settled' | 'voided';
  transfer_seq: bigint | null;
  amount: bigint | null;
}>;

async function readOldest(
  db: Db,
  { organization, seq, before, rows }: ForgetInput & Readonly<{ seq: bigint }>,
): Promise<readonly OldRow[]> {
  const oldest = await db
    .selectFrom('usage')
    .leftJoin('transfers', 'transfers.id', 'usage.transfer')
    .where('usage.organization', '=', organization)
    .where('usage.seq', '>', seq)
    .where('usage.seq', '<=', await forgettableSeq(db, organization))
    .select(['usage.seq', 'usage.created', 'usage.outcome'])
    .select(['transfers.seq as transfer_seq', 'transfers.amount'])
    .orderBy('usage.seq')
    .limit(rows)
    .execute();
  const kept = oldest.findIndex(({ created }) => Number(created) >= before);
  return kept === -1 ? oldest : oldest.slice(0, kept);
}

function addRow(to: ForgottenUsageRow, row: OldRow): ForgottenUsageRow {
  const { seq, created, outcome, transfer_seq, amount } = row;
  const seen = { ...to, seq, until: created > to.until ? created : to.until };
  if (transfer_seq === null || amount === null) return seen;
  const { high, low } = halvesOf(amount);
  const charged = {
    ...seen,
    // Charges and the usage rows that name them are numbered in the same order.
    transfer_seq,
    charges: to.charges + 1n,
    charged_high: to.charged_high + high,
    charged_low: to.charged_low + low,
  };
  if (outcome === 'settled') return charged;
  return {
    ...charged,
    reversals: to.reversals + 1n,
    reversed_high: to.reversed_high + high,
    reversed_low: to.reversed_low + low,
  };
}

function readForgotten(
  db: Db,
  organization: OrganizationId,
): Promise<ForgottenUsageRow | undefined> {
  return db
    .selectFrom('forgotten_usage')
    .selectAll()
    .where('organization', '=', organization)
    .executeTakeFirst();
}

function nothingOf(organization: OrganizationId): ForgottenUsageRow {
  return {
    organization,
    seq: 0n,
    until: 0n,
    transfer_seq: 0n,
    charges: 0n,
    charged_high: 0n,
    charged_low: 0n,
    reversals: 0n,
    reversed_high: 0n,
    reversed_low: 0n,
  };
}

/** Returns false when the stored row is not `known` any more. */
async function write(
  db: Db,
  known: ForgottenUsageRow | undefined,
  next: ForgottenUsageRow,
): Promise<boolean> {
  const { organization } = next;
  if (!known) {
    const inserted = await db
      .insertInto('forgotten_usage')
      .values(next)
      .onConflict((conflict) => conflict.column('organization').doNothing())
      .returning('organization')
      .executeTakeFirst();
    return inserted !== undefined;
  }
  const updated = await db
    .updateTable('forgotten_usage')
    .set(next)
    .where('organization', '=', organization)
    .where('seq', '=', known.seq)
    .returning('organization')
    .executeTakeFirst();
  return updated !== undefined;
}
