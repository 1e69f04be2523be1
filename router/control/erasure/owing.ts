/**
 * What keeps an organization from being deleted: a debt must first be paid, or forgiven by an
 * operator.
 */
import { formatUsd } from '../../../shared/money.ts';
import type { Db } from '../../store/procedure.ts';
import type { AccountRow } from '../../store/schema/ledger.ts';
import { documentNumber, INVOICES } from '../documents/number.ts';

/** The end of the sentence "it cannot be deleted: ". */
export type Owing = string;

/**
 * For procedures that have locked the organization and its account. Returns null when the
 * organization owes nothing.
 */
export async function findOwing(db: Db, account: AccountRow): Promise<Owing | null> {
  const { id, balance, held } = account;
  if (balance < 0n) return `it owes USD ${formatUsd(-balance)}, which must be paid first.`;
  if (balance < held) return 'its running requests may cost more than its balance: try again soon.';
  const open = await db
    .selectFrom('invoices')
    .select('number')
    .where('organization', '=', id)
    .where('status', '=', 'open')
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  if (!open) return null;
  return `invoice ${documentNumber(INVOICES, open.number)} is open, and must be paid or voided first.`;
}
