/** Migrates a store's tables, each time it is opened for writing. */
import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { BUILD } from '../../shared/build.ts';
import { StoreMismatched } from './errors.ts';
import { up as foundation } from './migrations/0001-foundation.ts';
import { up as limits } from './migrations/0002-limits.ts';
import { up as controlPlane } from './migrations/0003-control-plane.ts';
import { up as organizations } from './migrations/0004-organizations.ts';
import { up as payments } from './migrations/0005-payments.ts';
import { up as invoices } from './migrations/0006-invoices.ts';
import { up as rollups } from './migrations/0007-rollups.ts';
import { up as keys } from './migrations/0008-keys.ts';
import { up as recoveryCodes } from './migrations/0009-recovery-codes.ts';
import { up as incarnations } from './migrations/0010-incarnations.ts';
import { up as stretches } from './migrations/0011-stretches.ts';
import { up as asks } from './migrations/0012-asks.ts';
import { up as identity } from './migrations/0013-identity.ts';
import { up as schemaState } from './migrations/0014-schema-state.ts';
import { up as routerVersions } from './migrations/0015-router-versions.ts';
import { up as refusals } from './migrations/0016-refusals.ts';
import { up as auditBefore } from './migrations/0017-audit-before.ts';
import { up as history } from './migrations/0018-history.ts';
import { up as ledgerDays } from './migrations/0019-ledger-days.ts';
import { up as billingDetails } from './migrations/0020-billing-details.ts';
import { up as webhooks } from './migrations/0021-webhooks.ts';
import { up as incidents } from './migrations/0022-incidents.ts';
import { up as operators } from './migrations/0023-operators.ts';
import { up as budgets } from './migrations/0024-budgets.ts';
import { up as spendingCaps } from './migrations/0025-spending-caps.ts';
import { up as hostEvents } from './migrations/0027-host-events.ts';
import { up as chats } from './migrations/0028-chats.ts';
import { up as requestTimes } from './migrations/0029-request-times.ts';
import { up as indexes } from './migrations/0032-indexes.ts';
import { up as routerTraffic } from './migrations/0033-router-traffic.ts';
import { up as keyRevocations } from './migrations/0034-key-revocations.ts';
import { up as mutedEmails } from './migrations/0035-muted-emails.ts';
import { up as lockedPeople } from './migrations/0036-locked-people.ts';
import { up as moneyLists } from './migrations/0037-money-lists.ts';
import { up as attempts } from './migrations/0038-attempts.ts';
import { up as routerReports } from './migrations/0039-router-reports.ts';
import { up as invoiceTotals } from './migrations/0040-invoice-totals.ts';
import { up as routerAlarms } from './migrations/0041-router-alarms.ts';
import { up as routerPeriods } from './migrations/0042-router-periods.ts';
import { up as auditReasons } from './migrations/0043-audit-reasons.ts';
import { up as operatorChanges } from './migrations/0044-operator-changes.ts';
import { up as operatorRoles } from './migrations/0045-operator-roles.ts';
import { up as routerVitals } from './migrations/0046-router-vitals.ts';
import { up as failedRequests } from './migrations/0047-failed-requests.ts';
import { up as routerPeriodTimes } from './migrations/0048-router-period-times.ts';
import { up as routerRuns } from './migrations/0049-router-runs.ts';
import { up as memberActivity } from './migrations/0050-member-activity.ts';
import { up as askedOfRequests } from './migrations/0051-asked-of-requests.ts';
import { up as alarms } from './migrations/0052-alarms.ts';
import { up as allowedModels } from './migrations/0053-allowed-models.ts';
import { up as routerEnds } from './migrations/0054-router-ends.ts';
import { up as passkeys } from './migrations/0055-passkeys.ts';
import { up as incidentEmails } from './migrations/0056-incident-emails.ts';
import { up as failedRefusals } from './migrations/0057-failed-refusals.ts';
import { up as holdsClustered } from './migrations/0058-holds-clustered.ts';
import type { Schema } from './schema.ts';
import { readSchemaState, recordMigration, STATE_MIGRATION } from './schema-state.ts';

/**
 * `excludesOlder`: versions that do not know this migration cannot run on the tables after it. Such
 * a migration is for a later release than the one that has stopped to use what it removes, so that
 * the routers of that one go on running (docs/upgrades.md).
 */
export type StoreMigration = Migration & Readonly<{ excludesOlder?: true }>;
type Migrations = Readonly<Record<string, StoreMigration>>;

/** In order. A released name never changes. */
export const MIGRATIONS: Migrations = {
  '0001-foundation': { up: foundation },
  '0002-limits': { up: limits },
  '0003-control-plane': { up: controlPlane },
  '0004-organizations': { up: organizations },
  '0005-payments': { up: payments },
  '0006-invoices': { up: invoices },
  '0007-rollups': { up: rollups },
  '0008-keys': { up: keys },
  '0009-recovery-codes': { up: recoveryCodes },
  '0010-incarnations': { up: incarnations },
  '0011-stretches': { up: stretches },
  '0012-asks': { up: asks },
  '0013-identity': { up: identity },
  [STATE_MIGRATION]: { up: schemaState },
  '0015-router-versions': { up: routerVersions },
  '0016-refusals': { up: refusals },
  '0017-audit-before': { up: auditBefore },
  '0018-history': { up: history },
  '0019-ledger-days': { up: ledgerDays },
  '0020-billing-details': { up: billingDetails },
  '0021-webhooks': { up: webhooks },
  '0022-incidents': { up: incidents },
  '0023-operators': { up: operators },
  '0024-budgets': { up: budgets },
  '0025-spending-caps': { up: spendingCaps },
  // There is no 0026, 0030 or 0031, and none can be added: a store that has a later migration does
  // not accept an earlier one that is new.
  '0027-host-events': { up: hostEvents },
  '0028-chats': { up: chats },
  '0029-request-times': { up: requestTimes },
  '0032-indexes': { up: indexes },
  '0033-router-traffic': { up: routerTraffic },
  '0034-key-revocations': { up: keyRevocations },
  '0035-muted-emails': { up: mutedEmails },
  '0036-locked-people': { up: lockedPeople },
  '0037-money-lists': { up: moneyLists },
  '0038-attempts': { up: attempts },
  '0039-router-reports': { up: routerReports },
  '0040-invoice-totals': { up: invoiceTotals },
  '0041-router-alarms': { up: routerAlarms },
  '0042-router-periods': { up: routerPeriods },
  '0043-audit-reasons': { up: auditReasons },
  '0044-operator-changes': { up: operatorChanges },
  '0045-operator-roles': { up: operatorRoles },
  '0046-router-vitals': { up: routerVitals },
  '0047-failed-requests': { up: failedRequests },
  '0048-router-period-times': { up: routerPeriodTimes },
  '0049-router-runs': { up: routerRuns },
  '0050-member-activity': { up: memberActivity },
  '0051-asked-of-requests': { up: askedOfRequests },
  '0052-alarms': { up: alarms },
  '0053-allowed-models': { up: allowedModels },
  '0054-router-ends': { up: routerEnds },
  '0055-passkeys': { up: passkeys },
  '0056-incident-emails': { up: incidentEmails },
  '0057-failed-refusals': { up: failedRefusals },
  '0058-holds-clustered': { up: holdsClustered },
};

/**
 * Throws when a migration fails, and StoreMismatched when this version cannot run on the tables of a
 * later one. If it can, they stay as they are.
 */
export async function migrate(
  db: Kysely<Schema>,
  migrations: Migrations = MIGRATIONS,
): Promise<void> {
  const { unknown } = await checkLater(db, migrations);
  if (unknown.length > 0) return;
  const provider = { getMigrations: async () => withRecords(migrations) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error === undefined) return;
  // A later version may have migrated the store while this one waited to do so.
  if ((await checkLater(db, migrations)).unknown.length === 0) throw error;
}

function withRecords(migrations: Migrations): Record<string, Migration> {
  const recorded = ([name, migration]: [string, StoreMigration]) => {
    if (name < STATE_MIGRATION) return [name, migration] as const;
    const upAndRecord = async (db: Kysely<Schema>) => {
      await migration.up(db);
      await recordMigration(db, name, migration.excludesOlder === true);
    };
    return [name, { up: upAndRecord }] as const;
  };
  return Object.fromEntries(Object.entries(migrations).map(recorded));
}

/**
 * For readers, which change nothing: throws StoreMismatched unless this version can read the tables.
 */
export async function checkTables(db: Kysely<Schema>): Promise<void> {
  const { missing } = await checkLater(db, MIGRATIONS);
  if (missing.length === 0) return;
  throw new StoreMismatched(
    `the store was written by an earlier version of Penstock and lacks ${missing.join(', ')}: ` +
      'start a router of this version on it first, which brings it up to date',
  );
}

/** Throws StoreMismatched if a later version has written the store and this one cannot run on it. */
async function checkLater(db: Kysely<Schema>, migrations: Migrations): Promise<MigrationState> {
  const state = await migrationsOf(db, migrations);
  if (state.fault !== null) throw new StoreMismatched(state.fault);
  return state;
}

/**
 * The migrations that a store has, in their order. `missing`: those of this version that it lacks.
 * `unknown`: those of a later version. `fault`: why this version cannot run on the tables of a later
 * one, null if it can. `version`: the one that has migrated the store, if that is recorded.
 */
export type MigrationState = Readonly<
  Record<'applied' | 'missing' | 'unknown', readonly string[]> &
    Record<'fault' | 'version', string | null>
>;

/** Compares a store with this version. */
export async function migrationsOf(
  db: Kysely<Schema>,
  migrations: Migrations = MIGRATIONS,
): Promise<MigrationState> {
  const applied = await appliedTo(db);
  const missing = Object.keys(migrations).filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  const later = await readSchemaState(db, applied);
  const isCompatible =
    later !== null && Object.hasOwn(migrations, later.needs) && missing.length === 0;
  const version = later?.version ?? null;
  const fault = unknown.length === 0 || isCompatible ? null : tooOld(version, unknown);
  return { applied, missing, unknown, fault, version };
}

function tooOld(version: string | null, unknown: readonly string[]): string {
  return (
    `this is Penstock ${BUILD.version}, and the store was written by a later version` +
    `${version === null ? '' : `, ${version}`}, whose tables this one cannot use: it does not know ` +
    `${unknown.join(', ')}. Run ${version ?? 'that version'} or a later one, or restore a backup ` +
    'that was made before the upgrade'
  );
}

async function appliedTo(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return [];
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}
