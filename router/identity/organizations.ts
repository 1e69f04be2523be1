/** Organizations in the ledger: creation, welcome credit, status, region, billing and limits. */
import type { Clock } from '../../shared/clock.ts';
import { mintId, type OrganizationId, type PersonId, type TransferId } from '../../shared/ids.ts';
import { PICO_PER_USD, type PicoUsd, picoUsd, ZERO } from '../../shared/money.ts';
import type { Random } from '../../shared/random.ts';
import type { Region } from '../../shared/region.ts';
import { forgetExhausted, transfer } from '../ledger/credit.ts';
import { type LimitsChange, limitColumns, limitsOf } from '../ledger/limits.ts';
import { lockAccount, lockOrganization } from '../ledger/locks.ts';
import type { RateLimits } from '../ledger/terms.ts';
import { BALANCE_MAX } from '../ledger/transfers.ts';
import { milliseconds } from '../store/milliseconds.ts';
import { type Db, writeProcedure } from '../store/procedure.ts';
import type { OrganizationRow } from '../store/schema/ledger.ts';
import type { Store } from '../store/store.ts';
import { endInvoicing, noteInvoicing } from './invoicing.ts';

/** The welcome credit when the configuration sets none, in pico-USD. */
export const WELCOME_CREDIT = 5n * PICO_PER_USD;

export type Organization = Readonly<{
  id: OrganizationId;
  name: string;
  region: Region;
  status: 'active' | 'suspended';
  billing: 'prepaid' | 'invoiced';
  /** How far an invoiced organization may go below zero (MONEY 4); 0 for a prepaid one. */
  creditLimit: PicoUsd;
  /** A null limit means the router's default. */
  limits: RateLimits;
  /** The organization is notified when its balance falls below this; null: never. */
  lowBalanceThreshold: PicoUsd | null;
  created: number;
  deleted: number | null;
}>;

export type NewOrganization = Readonly<{
  id: OrganizationId;
  /** The id of the welcome credit's transfer; null if the organization gets none, or not yet. */
  transfer: TransferId | null;
  /** The amount of the welcome credit, in pico-USD. */
  welcome: bigint;
  name: string;
  region: Region;
  /** The person who created the organization for themselves; null or absent if an operator did. */
  founder?: PersonId | null;
  /** ms since the epoch. */
  created: number;
}>;

/** Builds the input of `insertOrganization`: mints the ids and takes the time. */
export function newOrganization(
  { clock, random }: Readonly<{ clock: Clock; random: Random }>,
  {
    name,
    region,
    welcome = WELCOME_CREDIT,
  }: Readonly<{ name: string; region: Region; welcome?: bigint }>,
): NewOrganization {
  return {
    id: mintId('organization', clock, random),
    transfer: welcome === 0n ? null : mintId('transfer', clock, random),
    welcome,
    name,
    region,
    created: clock.now(),
  };
}

/**
 * Adds an organization, its account and its welcome credit, if it gets one, within a procedure's
 * transaction. A repeated call with the same ids changes nothing.
 */
export async function addOrganization(db: Db, input: NewOrganization): Promise<Organization> {
  const { id, name, region } = input;
  const created = milliseconds(input.created);
  await db
    .insertInto('organizations')
    .values({
      id,
      name,
      region,
      status: 'active',
      billing: 'prepaid',
      credit_limit: 0n,
      requests_per_minute: null,
      tokens_per_minute: null,
      concurrent_requests: null,
      created,
      deleted: null,
      founder: input.founder ?? null,
      low_balance_threshold: null,
      low_balance_noted: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await db
    .insertInto('accounts')
    .values({
      id,
      balance: 0n,
      held: 0n,
      reserve: 0n,
      open: 0n,
      floor: 0n,
      auth_epoch: 0n,
      transfer_seq: 0n,
      usage_seq: 0n,
      capped_members: 0n,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  if (input.transfer !== null) {
    await transfer(db, {
      id: input.transfer,
      organization: id,
      kind: 'welcome',
      change: input.welcome,
      reference: id,
      reason: null,
      created: input.created,
    });
  }
  const row = await db
    .selectFrom('organizations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return organizationOf(row);
}

export const insertOrganization = writeProcedure<NewOrganization, Organization>(
  'insertOrganization',
  addOrganization,
);

/** Creates an organization with its welcome credit. */
export function createOrganization(
  parts: Readonly<{ store: Pick<Store, 'call'>; clock: Clock; random: Random }>,
  organization: Readonly<{ name: string; region: Region }>,
): Promise<Organization> {
  return parts.store.call(insertOrganization, newOrganization(parts, organization));
}

export type Billing =
  | Readonly<{ billing: 'prepaid' }>
  /** `termsDays`: days to pay an invoice. If absent, they stay unchanged; 30 for a first time. */
  | Readonly<{ billing: 'invoiced'; creditLimit: PicoUsd; termsDays?: number | undefined }>;

/** Absent fields stay unchanged. */
export type OrganizationChange = Readonly<{
  status?: Organization['status'] | undefined;
  region?: Region | undefined;
  limits?: LimitsChange | undefined;
  billing?: Billing | undefined;
}>;

/**
 * The balance less what is held is below the floor that would be in force, by what is missing. In
 * pico-USD.
 */
export type Shortfall = Readonly<{ balance: bigint; held: bigint; missing: bigint }>;

/** `unknown`: there is no such organization, or it was deleted. */
export type ChangeAnswer = 'done' | 'unknown' | Shortfall;

/**
 * Changes an organization, in full or not at all, and raises its epoch, so that the very next
 * admission sees the change (MONEY 11). Being invoiced lowers the floor and nothing else. An
 * organization that a dispute took below its floor cannot be reactivated until the balance is back
 * above it (MONEY 4).
 */
export async function changeOrganization(
  db: Db,
  organization: OrganizationId,
  { status, region, limits, billing }: OrganizationChange,
): Promise<ChangeAnswer> {
  const creditLimit = creditLimitOf(billing);
  const row = await lockLiveOrganization(db, organization);
  if (!row) return 'unknown';
  const account = await lockAccount(db, organization);
  if (!account) throw new Error(`there is no account ${organization}`);
  const floor = creditLimit === null ? account.floor : 0n - creditLimit;
  const guarded = creditLimit !== null || status === 'active';
  const { balance, held } = account;
  if (guarded && balance - held < floor) return { balance, held, missing: floor - balance + held };
  if (billing?.billing === 'invoiced') {
    await noteInvoicing(db, { organization: row, account }, billing.termsDays);
  } else if (billing) {
    await endInvoicing(db, { organization: row, account });
  }
  await db
    .updateTable('accounts')
    .set({ floor, auth_epoch: account.auth_epoch + 1n })
    .where('id', '=', organization)
    .execute();
  if (floor < account.floor) await forgetExhausted(db, organization);
  const columns = {
    ...(status === undefined ? {} : { status }),
    ...(region === undefined ? {} : { region }),
    ...limitColumns(limits ?? {}),
    ...(billing && creditLimit !== null
      ? { billing: billing.billing, credit_limit: creditLimit }
      : {}),
  };
  if (Object.keys(columns).length > 0) {
    await db.updateTable('organizations').set(columns).where('id', '=', organization).execute();
  }
  return 'done';
}

function creditLimitOf(billing: Billing | undefined): PicoUsd | null {
  if (!billing) return null;
  const creditLimit = billing.billing === 'invoiced' ? billing.creditLimit : ZERO;
  if (creditLimit < 0n || creditLimit > BALANCE_MAX) {
    throw new Error(`${creditLimit} is not a credit limit`);
  }
  return creditLimit;
}

/** For procedures: locks an organization. Returns undefined if it does not exist or was deleted. */
export async function lockLiveOrganization(
  db: Db,
  id: OrganizationId,
): Promise<OrganizationRow | undefined> {
  const row = await lockOrganization(db, id);
  return row?.deleted === null ? row : undefined;
}

export function organizationOf(row: OrganizationRow): Organization {
  const { id, name, region, status, billing } = row;
  return {
    id,
    name,
    region,
    status,
    billing,
    creditLimit: picoUsd(row.credit_limit),
    limits: limitsOf(row),
    lowBalanceThreshold:
      row.low_balance_threshold === null ? null : picoUsd(row.low_balance_threshold),
    created: Number(row.created),
    deleted: row.deleted === null ? null : Number(row.deleted),
  };
}
