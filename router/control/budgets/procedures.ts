/** Reads and sets the budget of an organization, and notes the threshold that it has reached. */
import type { OrganizationId } from '../../../shared/ids.ts';
import { formatUsd, type PicoUsd, picoUsd } from '../../../shared/money.ts';
import { lockLiveOrganization } from '../../identity/organizations.ts';
import { nameOfMonth } from '../../store/month.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import { usdOrNull } from '../api.ts';
import { audited } from '../audit/record.ts';
import { postLetter } from '../mail/letter.ts';
import { organizationExists } from '../organizations/procedures.ts';
import { postEvent } from '../webhooks/events.ts';

/** `unknown`: there is no such organization. `amount`: null if it has no budget. */
export const readBudget = readProcedure<
  OrganizationId,
  Readonly<{ amount: PicoUsd | null }> | 'unknown'
>('readBudget', async (db, organization) =>
  (await organizationExists(db, organization))
    ? { amount: await amountOf(db, organization) }
    : 'unknown',
);

async function amountOf(db: Db, organization: OrganizationId): Promise<PicoUsd | null> {
  const row = await db
    .selectFrom('budgets')
    .select('amount')
    .where('organization', '=', organization)
    .executeTakeFirst();
  return row ? picoUsd(row.amount) : null;
}

/** A new amount starts new notices, the same amount does not. Null removes the budget. */
export const setBudget = writeProcedure<
  Readonly<{ organization: OrganizationId; amount: PicoUsd | null }>,
  'done' | 'unknown'
>('setBudget', async (db, { organization, amount }) => {
  if (!(await lockLiveOrganization(db, organization))) return 'unknown';
  if (amount === null) {
    await db.deleteFrom('budgets').where('organization', '=', organization).execute();
    return 'done';
  }
  const row = { amount, noted_month: null, noted_percent: null };
  await db
    .insertInto('budgets')
    .values({ organization, ...row })
    .onConflict((conflict) =>
      conflict.column('organization').doUpdateSet(row).where('budgets.amount', '!=', amount),
    )
    .execute();
  return 'done';
});

export const setBudgetAudited = audited(setBudget, undefined, async (db, { organization }) => {
  if (!(await lockLiveOrganization(db, organization))) return null;
  return { amount: usdOrNull(await amountOf(db, organization)) };
});

/** A budget of which not every threshold was noted in the month. */
export type OpenBudget = Readonly<{
  organization: OrganizationId;
  amount: bigint;
  /** The highest threshold that was noted in this month, in percent; 0: none. */
  noted: number;
}>;

/**
 * Lists budgets of which less than `most` percent were noted in the month, by the organization's id
 * after `after`.
 */
export const listOpenBudgets = readProcedure<
  Readonly<{ month: bigint; most: number; after: OrganizationId | null; limit: number }>,
  readonly OpenBudget[]
>('listOpenBudgets', async (db, { month, most, after, limit }) => {
  let query = db
    .selectFrom('budgets')
    .selectAll()
    .where((row) =>
      row.or([
        row('noted_month', 'is', null),
        row('noted_month', '!=', month),
        row('noted_percent', '<', BigInt(most)),
      ]),
    );
  if (after !== null) query = query.where('organization', '>', after);
  const rows = await query.orderBy('organization').limit(limit).execute();
  return rows.map(({ organization, amount, noted_month, noted_percent }) => ({
    organization,
    amount,
    noted: noted_month === month ? Number(noted_percent) : 0,
  }));
});

/**
 * Notes that the spend of a month has reached `percent` of the budget, and tells of it by email and
 * webhook. Does nothing when that was noted already, or when the budget has changed since.
 */
export const noteBudget = writeProcedure<
  Readonly<{ budget: OpenBudget; month: bigint; percent: number; spent: bigint; now: number }>,
  'told' | 'nothing'
>('noteBudget', async (db, { budget, month, percent, spent, now }) => {
  const { organization, amount } = budget;
  const noted = await db
    .updateTable('budgets')
    .set({ noted_month: month, noted_percent: BigInt(percent) })
    .where('organization', '=', organization)
    .where('amount', '=', amount)
    .where((row) =>
      row.or([
        row('noted_month', 'is', null),
        row('noted_month', '<', month),
        row.and([row('noted_month', '=', month), row('noted_percent', '<', BigInt(percent))]),
      ]),
    )
    .returning('organization')
    .execute();
  if (noted.length === 0) return 'nothing';
  const data = {
    percent,
    spent: formatUsd(spent),
    budget: formatUsd(amount),
    month: nameOfMonth(month),
  };
  const told = { occasion: `${organization}/${Math.round(now)}`, created: now };
  await postLetter(db, { kind: 'budget', organization, ...data }, told);
  await postEvent(db, { type: 'budget.reached', data }, { organization, ...told });
  return 'told';
});
