/** Auto-recharge: an organization's settings, and its payments, one at a time. */
import { type AuditId, idsFrom, type OrganizationId, type PaymentId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import { enqueue } from '../../jobs/queue.ts';
import { lockOrganization } from '../../ledger/locks.ts';
import { BALANCE_MAX } from '../../ledger/transfers.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { monthOf, startOfMonth } from '../../store/month.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { RechargeRow } from '../../store/schema/payments.ts';
import { usdOrNull } from '../api.ts';
import { audited, type Details, record, systemEntry } from '../audit/record.ts';
import { findCustomer, insertPayment } from '../payments/procedures.ts';

export const CHARGE = 'charge';

export function chargeKeyOf(payment: PaymentId): string {
  return `${CHARGE}/${payment}`;
}

/** The minimum time between two recharges, whatever the balance. */
const BETWEEN_MS = 30_000;

export type Starting = Readonly<{
  organization: OrganizationId;
  provider: string;
  payment: PaymentId;
  audit: AuditId;
  now: number;
}>;

/**
 * Starts a recharge if one is wanted and none is in progress. The settings are locked first, so
 * that concurrent calls start only one. `capped`: the monthly cap would be exceeded.
 */
export const startRecharge = writeProcedure<Starting, 'started' | 'not_wanted' | 'capped'>(
  'startRecharge',
  async (db, { organization, provider, payment, audit, now }) => {
    const recharge = await lockRecharge(db, organization);
    if (!recharge || !isDue(recharge, now)) return 'not_wanted';
    if (!(await isLow(db, recharge))) return 'not_wanted';
    const customer = await findCustomer(db, organization, provider);
    if (!customer || customer.method === null) return 'not_wanted';
    const charged = { customer: customer.customer, method: customer.method };
    const { amount } = recharge;
    const at = milliseconds(now);
    const change = (to: Partial<RechargeRow>) =>
      db.updateTable('recharges').set(to).where('organization', '=', organization).execute();
    if (isCapped(recharge, await spentInMonth(db, organization, now))) {
      await change({ waits_until: BigInt(startOfMonth(monthOf(now) + 1n)) });
      return 'capped';
    }
    await insertPayment(db, {
      id: payment,
      organization,
      provider,
      purpose: 'recharge',
      amount,
      keepMethod: false,
      charged,
      person: null,
      idempotencyKey: null,
      created: now,
    });
    await change({ payment, started: at, waits_until: null });
    await enqueue(db, {
      kind: CHARGE,
      subject: organization,
      idempotencyKey: chargeKeyOf(payment),
      payload: { payment },
      created: now,
    });
    const details = { amount: formatUsd(amount) };
    const about = { id: audit, organization, target: payment, details, created: now };
    await record(db, systemEntry({ ...about, action: 'recharge.start' }));
    return 'started';
  },
);

/** For procedures: locks the settings until the transaction ends. */
export async function lockRecharge(
  db: Db,
  organization: OrganizationId,
): Promise<RechargeRow | undefined> {
  return await db
    .updateTable('recharges')
    .set((row) => ({ enabled: row.ref('enabled') }))
    .where('organization', '=', organization)
    .returningAll()
    .executeTakeFirst();
}

function isDue({ enabled, paused, payment, started, waits_until }: RechargeRow, now: number) {
  if (enabled !== 1n || paused !== null || payment !== null) return false;
  if (waits_until !== null && now < Number(waits_until)) return false;
  // The absolute difference, so that a clock that was set back does not delay it for longer.
  return started === null || Math.abs(now - Number(started)) >= BETWEEN_MS;
}

/**
 * For procedures: whether the available credit is below the threshold. False for an organization
 * that is suspended or deleted, or whose balance would exceed its maximum.
 */
export async function isLow(
  db: Db,
  { organization, threshold, amount }: RechargeRow,
): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .innerJoin('organizations', 'organizations.id', 'accounts.id')
    .select(['accounts.balance', 'accounts.held'])
    .where('accounts.id', '=', organization)
    .where('organizations.status', '=', 'active')
    .where('organizations.deleted', 'is', null)
    .executeTakeFirst();
  if (!account || account.balance + amount > BALANCE_MAX) return false;
  return account.balance - account.held < threshold;
}

/**
 * Returns what this calendar month's (UTC) recharges have charged or may still charge. It is
 * computed from the payments, so that it cannot drift.
 */
export async function spentInMonth(
  db: Db,
  organization: OrganizationId,
  now: number,
): Promise<bigint> {
  const rows = await db
    .selectFrom('payments')
    .select(['amount', 'paid'])
    .where('organization', '=', organization)
    .where('id', '>=', idsFrom('payment', startOfMonth(monthOf(now))) as PaymentId)
    .where('purpose', '=', 'recharge')
    .where('state', 'in', ['open', 'pending', 'succeeded'])
    .execute();
  return rows.reduce((sum, { amount, paid }) => sum + (paid ?? amount ?? 0n), 0n);
}

/**
 * Finds organizations whose available credit is below their threshold and that may be charged. If
 * `only` is given, checks only that organization.
 */
export const findDueRecharges = readProcedure<
  Readonly<{ only: OrganizationId | null; provider: string; now: number; limit: number }>,
  readonly OrganizationId[]
>('findDueRecharges', async (db, { only, provider, now, limit }) => {
  const at = milliseconds(now);
  let query = db
    .selectFrom('recharges')
    .innerJoin('accounts', 'accounts.id', 'recharges.organization')
    .innerJoin('organizations', 'organizations.id', 'recharges.organization')
    .innerJoin('payment_customers', (join) =>
      join
        .onRef('payment_customers.organization', '=', 'recharges.organization')
        .on('payment_customers.provider', '=', provider)
        .on('payment_customers.method', 'is not', null),
    )
    .select('recharges.organization')
    .where('recharges.enabled', '=', 1n)
    .where('recharges.paused', 'is', null)
    .where('recharges.payment', 'is', null)
    .where((row) =>
      row.or([row('recharges.waits_until', 'is', null), row('recharges.waits_until', '<=', at)]),
    )
    .where((row) =>
      row(
        row('accounts.balance', '-', row.ref('accounts.held')),
        '<',
        row.ref('recharges.threshold'),
      ),
    )
    .where('organizations.status', '=', 'active')
    .where('organizations.deleted', 'is', null)
    // The longest waiting first, so that none is starved.
    .orderBy('recharges.started', (order) => order.asc().nullsFirst())
    .limit(limit);
  if (only !== null) query = query.where('recharges.organization', '=', only);
  const rows = await query.execute();
  return rows.map(({ organization }) => organization);
});

export type RechargeChange = Readonly<{
  organization: OrganizationId;
  provider: string | null;
  enabled: boolean;
  threshold: bigint;
  amount: bigint;
  monthlyCap: bigint | null;
}>;

/**
 * Changes the settings, and resumes a paused auto-recharge. `no_method`: there is no saved payment
 * method to charge.
 */
export const setRecharge = writeProcedure<RechargeChange, 'done' | 'no_method'>(
  'setRecharge',
  async (db, { organization, provider, enabled, threshold, amount, monthlyCap }) => {
    const customer = provider === null ? null : await findCustomer(db, organization, provider);
    if (enabled && (customer?.method ?? null) === null) return 'no_method';
    const settings = {
      enabled: enabled ? 1n : 0n,
      threshold,
      amount,
      monthly_cap: monthlyCap,
      failures: 0n,
      paused: null,
      waits_until: null,
    };
    await db
      .insertInto('recharges')
      .values({ ...settings, organization, payment: null, started: null })
      .onConflict((conflict) => conflict.column('organization').doUpdateSet(settings))
      .execute();
    return 'done';
  },
);

export const setRechargeAudited = audited(
  setRecharge,
  undefined,
  async (db, { organization }): Promise<Details | null> => {
    await lockOrganization(db, organization);
    const before = await db
      .selectFrom('recharges')
      .select(['enabled', 'threshold', 'amount', 'monthly_cap'])
      .where('organization', '=', organization)
      .executeTakeFirst();
    return before
      ? {
          enabled: before.enabled === 1n,
          threshold: formatUsd(before.threshold),
          amount: formatUsd(before.amount),
          monthly_cap: usdOrNull(before.monthly_cap),
        }
      : null;
  },
);

export type RechargeState = Readonly<{
  recharge: RechargeRow | null;
  monthSpent: bigint;
  method: string | null;
}>;

export const readRecharge = readProcedure<
  Readonly<{ organization: OrganizationId; provider: string | null; now: number }>,
  RechargeState
>('readRecharge', async (db, { organization, provider, now }) => {
  const recharge = await db
    .selectFrom('recharges')
    .selectAll()
    .where('organization', '=', organization)
    .executeTakeFirst();
  const customer = provider === null ? null : await findCustomer(db, organization, provider);
  return {
    recharge: recharge ?? null,
    monthSpent: await spentInMonth(db, organization, now),
    method: customer?.method_label ?? null,
  };
});

/**
 * For procedures: whether auto-recharge is adding credit or is about to. It does nothing for an
 * organization whose credit is above its threshold, although a request may need more.
 */
export async function addsCredit(
  db: Db,
  {
    organization,
    provider,
    now,
  }: Pick<Starting, 'organization' | 'now'> & { provider: string | null },
): Promise<boolean> {
  if (provider === null) return false;
  const recharge = await db
    .selectFrom('recharges')
    .selectAll()
    .where('organization', '=', organization)
    .where('enabled', '=', 1n)
    .where('paused', 'is', null)
    .executeTakeFirst();
  if (!recharge) return false;
  if (recharge.payment !== null) return true;
  const customer = await findCustomer(db, organization, provider);
  if (!customer || customer.method === null || !(await isLow(db, recharge))) return false;
  return !isCapped(recharge, await spentInMonth(db, organization, now));
}

/** Whether another recharge would exceed the monthly cap. */
export function isCapped({ monthly_cap: cap, amount }: RechargeRow, monthSpent: bigint): boolean {
  return cap !== null && monthSpent + amount > cap;
}

/** For procedures: turns auto-recharge off, so that no further recharge is started. */
export async function stopRecharge(db: Db, organization: OrganizationId): Promise<void> {
  await db
    .updateTable('recharges')
    .set({ enabled: 0n })
    .where('organization', '=', organization)
    .execute();
}

/** Forgets the saved payment method and turns auto-recharge off. `unknown`: there is none. */
export const removeMethod = writeProcedure<
  Readonly<{ organization: OrganizationId; provider: string }>,
  'done' | 'unknown'
>('removeMethod', async (db, { organization, provider }) => {
  const gone = await db
    .updateTable('payment_customers')
    .set({ method: null, method_label: null })
    .where('organization', '=', organization)
    .where('provider', '=', provider)
    .where('method', 'is not', null)
    .returning('organization')
    .executeTakeFirst();
  if (!gone) return 'unknown';
  await stopRecharge(db, organization);
  return 'done';
});

export const removeMethodAudited = audited(removeMethod);
