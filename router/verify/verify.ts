/**
 * `penstock ledger verify`: derives everything that the ledger stores again, from transfers, holds
 * and prices alone, in one snapshot. The database computes the sums and returns only what differs.
 */
import { sql } from 'kysely';
import { type Db, readProcedure } from '../store/procedure.ts';
import { checkAccounts, checkTotals } from './accounts.ts';
import { checkFile } from './file.ts';
import { checkForgotten } from './forgotten.ts';
import { checkHolds } from './holds.ts';
import { checkInvoices } from './invoices.ts';
import { checkKeys } from './keys.ts';
import { checkLedgerDays } from './ledger-days.ts';
import { checkMeters } from './meters.ts';
import { checkPayments } from './payments.ts';
import { checkRollups } from './rollups.ts';
import { checkSpending } from './spending.ts';
import { checkStretches } from './stretches.ts';
import { checkTransfers, checkUsage } from './usage.ts';

export type Verification = Readonly<{
  /** How many rows were checked, by table. */
  checked: Readonly<Record<string, bigint>>;
  /** One sentence for each difference; empty when there is none. */
  differences: readonly string[];
}>;

/** The most differences of one kind that are named; there may be millions. */
const NAMED_MAX = 100;

const CHECKS = [
  ...checkFile,
  ...checkAccounts,
  ...checkHolds,
  ...checkMeters,
  ...checkSpending,
  ...checkUsage,
  ...checkTransfers,
  ...checkForgotten,
  ...checkPayments,
  ...checkInvoices,
  ...checkStretches,
  ...checkKeys,
  ...checkRollups,
  ...checkLedgerDays,
  ...checkTotals,
];

export const verifyLedger = readProcedure<null, Verification>('verifyLedger', async (db) => {
  const differences: string[] = [];
  for (const check of CHECKS) {
    const found = await check(db, NAMED_MAX + 1);
    differences.push(...found.slice(0, NAMED_MAX));
    if (found.length > NAMED_MAX) differences.push('… and more differences of this kind');
  }
  return { checked: await count(db), differences };
});

const TABLES = [
  'organizations',
  'accounts',
  'holds',
  'meters',
  'transfers',
  'usage',
  'prices',
  'rates',
  'payment_events',
  'payments',
  'refunds',
  'invoices',
  'keys',
] as const;

async function count(db: Db): Promise<Record<string, bigint>> {
  const counts: Record<string, bigint> = {};
  for (const table of TABLES) {
    const { rows } = await sql<{
      n: bigint;
    }>`select count(*) as n from ${sql.table(table)}`.execute(db);
    counts[table] = rows[0]?.n ?? 0n;
  }
  return counts;
}
