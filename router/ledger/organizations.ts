/** Organizations as the ledger knows them: opened with their welcome credit, suspended, moved. */
import type { Clock } from '../../shared/clock.ts';
import { mintId, type OrganizationId, type TransferId } from '../../shared/ids.ts';
import { PICO_PER_USD } from '../../shared/money.ts';
import type { Random } from '../../shared/random.ts';
import type { Region } from '../../shared/wire/messages.ts';
import type { Db, Procedure } from '../store/procedure.ts';
import type { OrganizationRow } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { transfer } from './credit.ts';

export const WELCOME_CREDIT = 5n * PICO_PER_USD;

export type Organization = Readonly<{
  id: OrganizationId;
  name: string;
  region: Region;
  status: 'active' | 'suspended';
  billing: 'prepaid' | 'invoiced';
  created: number;
}>;

export type NewOrganization = Readonly<{
  id: OrganizationId;
  /** The id of its welcome credit's transfer. */
  transfer: TransferId;
  name: string;
  region: Region;
  /** ms since the epoch. */
  created: number;
}>;

/** Mints what `insertOrganization` needs beside the caller's own words. */
export function newOrganization(
  { clock, random }: Readonly<{ clock: Clock; random: Random }>,
  { name, region }: Readonly<{ name: string; region: Region }>,
): NewOrganization {
  return {
    id: mintId('organization', clock, random),
    transfer: mintId('transfer', clock, random),
    name,
    region,
    created: clock.now(),
  };
}

/**
 * Adds an organization, its account and its welcome credit; for procedures that do so with something else.
 * Asked again with the same ids, it does nothing more.
 */
export async function addOrganization(db: Db, input: NewOrganization): Promise<Organization> {
  const { id, name, region } = input;
  const created = BigInt(Math.round(input.created));
  await db
    .insertInto('organizations')
    .values({ id, name, region, status: 'active', billing: 'prepaid', created })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await db
    .insertInto('accounts')
    .values({
      id,
      balance: 0n,
      held: 0n,
      reserve: 0n,
      floor: 0n,
      auth_epoch: 0n,
      transfer_seq: 0n,
      usage_seq: 0n,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await transfer(db, {
    id: input.transfer,
    organization: id,
    kind: 'welcome',
    change: WELCOME_CREDIT,
    reference: id,
    reason: null,
    created: input.created,
  });
  const row = await db
    .selectFrom('organizations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return organizationOf(row);
}

export const insertOrganization: Procedure<NewOrganization, Organization> = {
  name: 'insertOrganization',
  access: 'write',
  run: addOrganization,
};

/** Opens an organization with its welcome credit. */
export function createOrganization(
  parts: Readonly<{ store: Pick<Store, 'call'>; clock: Clock; random: Random }>,
  organization: Readonly<{ name: string; region: Region }>,
): Promise<Organization> {
  return parts.store.call(insertOrganization, newOrganization(parts, organization));
}

/** Suspending, or lifting a suspension, is seen by the very next admission (MONEY 11). */
export const setStatus: Procedure<
  Readonly<{ organization: OrganizationId; status: Organization['status'] }>,
  'done' | 'unknown'
> = {
  name: 'setStatus',
  access: 'write',
  run: (db, { organization, status }) => change(db, organization, { status }),
};

/** The region is part of what a cached key says, so the epoch rises with it. */
export const setRegion: Procedure<
  Readonly<{ organization: OrganizationId; region: Region }>,
  'done' | 'unknown'
> = {
  name: 'setRegion',
  access: 'write',
  run: (db, { organization, region }) => change(db, organization, { region }),
};

/** Makes every cached key of the organization stale: the next admission looks its key up again (MONEY 11). */
export async function bumpEpoch(db: Db, organization: OrganizationId): Promise<void> {
  await db
    .updateTable('accounts')
    .set((row) => ({ auth_epoch: row('auth_epoch', '+', 1n) }))
    .where('id', '=', organization)
    .execute();
}

export function organizationOf(row: OrganizationRow): Organization {
  return { ...row, created: Number(row.created) };
}

async function change(
  db: Db,
  organization: OrganizationId,
  to: Partial<Pick<OrganizationRow, 'status' | 'region'>>,
): Promise<'done' | 'unknown'> {
  const { numUpdatedRows } = await db
    .updateTable('organizations')
    .set(to)
    .where('id', '=', organization)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return 'unknown';
  await bumpEpoch(db, organization);
  return 'done';
}
