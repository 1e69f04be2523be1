/** Versions of Penstock before and after a migration, on one store. */
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import {
  checkTables,
  migrate,
  MIGRATIONS,
  migrationsOf,
  type StoreMigration,
} from '../../../router/store/migrate.ts';
import { STATE_MIGRATION } from '../../../router/store/schema-state.ts';
import { makeStorePlace, type StorePlace } from '../../support/store.ts';
import { breakingChanges, readTables, type Tables } from './breaking-changes.ts';
import { onDatabase } from './on-database.ts';

/** The last migration of the first release. */
const FIRST_RELEASE = '0013-identity';

const addColumn: StoreMigration = {
  up: (db: Kysely<unknown>) => db.schema.alterTable('agents').addColumn('later', 'text').execute(),
};
const dropTable: StoreMigration = {
  up: (db: Kysely<unknown>) => db.schema.dropTable('fleet_time').execute(),
  excludesOlder: true,
};

const upTo = (last: string) =>
  Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name <= last));

/** Migrates a store with a later version, which is released as 7.0.0. */
async function migrateLater(
  place: StorePlace,
  later: Readonly<Record<string, StoreMigration>>,
): Promise<void> {
  await onDatabase(place, (db) => migrate(db, { ...MIGRATIONS, ...later }));
  await place.sql(`UPDATE schema_state SET version = '7.0.0'`);
}

test('a store says which version has migrated it, and which migration a version must know', async () => {
  await using place = await makeStorePlace('empty');
  await onDatabase(place, migrate);
  expect(await place.sql('SELECT version, needs FROM schema_state')).toEqual([
    { version: manifest.version, needs: STATE_MIGRATION },
  ]);
});

test('a version starts on the tables of a later one that it can use, and leaves them alone', async () => {
  await using place = await makeStorePlace('empty');
  await migrateLater(place, { '9001-later': addColumn });
  await onDatabase(place, async (db) => {
    await migrate(db);
    await checkTables(db);
    const { unknown, fault, version } = await migrationsOf(db);
    expect({ unknown, fault, version }).toEqual({
      unknown: ['9001-later'],
      fault: null,
      version: '7.0.0',
    });
  });
});

test('a version that cannot use the tables of a later one says so, and names both', async () => {
  await using place = await makeStorePlace('empty');
  await migrateLater(place, { '9001-later': dropTable, '9002-later': addColumn });
  const refused = {
    name: 'StoreMismatched',
    message:
      `this is Penstock ${manifest.version}, and the store was written by a later version, 7.0.0, whose tables ` +
      'this one cannot use: it does not know 9001-later, 9002-later. Run 7.0.0 or a later one, or ' +
      'restore a backup that was made before the upgrade',
  };
  await expect(onDatabase(place, (db) => migrate(db))).rejects.toMatchObject(refused);
  await expect(onDatabase(place, checkTables)).rejects.toMatchObject(refused);
});

test('a version that lacks some of its own tables does not run on those of another', async () => {
  await using place = await makeStorePlace('empty');
  await migrateLater(place, { '9001-later': addColumn });
  const other = { ...MIGRATIONS, '8001-other': addColumn };
  await expect(onDatabase(place, (db) => migrate(db, other))).rejects.toThrow('9001-later');
});

test('the last sign-ins of people are taken from the audit log and from their sessions', async () => {
  await using place = await makeStorePlace('empty');
  await onDatabase(place, (db) => migrate(db, upTo('0035-muted-emails')));
  const people = ['audited', 'seen', 'never'].map(
    (id) =>
      `insert into people (id, email, name, password_hash, operator, created)
       values ('${id}', '${id}@example.com', '', '', 0, 1)`,
  );
  const entries = [
    [1, 'person.sign-up'],
    [5, 'session.begin'],
    [9, 'key.create'],
  ].map(
    ([at, action]) =>
      `insert into audit (id, actor_kind, actor, action, details, address, request, created)
       values ('aud_${at}', 'person', 'audited', '${action}', '{}', '', '', ${at})`,
  );
  await place.sql(
    ...people,
    ...entries,
    `insert into sessions (id, digest, rotate, person, address, client, created, last_seen, expires)
     values ('ses_1', 'd', 0, 'seen', '', '', 7, 8, 99)`,
  );
  await onDatabase(place, migrate);
  const rows = await place.sql('select id, last_sign_in, locked_at from people order by id');
  const known = rows as { id: string; last_sign_in: string; locked_at: unknown }[];
  expect(known.map((row) => ({ ...row, last_sign_in: Number(row.last_sign_in) }))).toEqual([
    { id: 'audited', last_sign_in: 5, locked_at: null },
    { id: 'never', last_sign_in: 0, locked_at: null },
    { id: 'seen', last_sign_in: 7, locked_at: null },
  ]);
});

test('holds are open as before when their table is built anew', async () => {
  await using place = await makeStorePlace('empty');
  await onDatabase(place, (db) => migrate(db, upTo('0057-failed-refusals')));
  const columns =
    '(request, organization, key, price, incarnation, amount, slice, created, tokens, member)';
  await place.sql(
    `insert into holds ${columns} values ('req_2', 'org_1', 'key_1', 'prc_1', 'rtr_1', 9223372036854775807, 2, 3, 4, 'mem_1')`,
    `insert into holds ${columns} values ('req_1', 'org_1', 'key_1', 'prc_1', 'rtr_2', 5, 6, 7, 0, null)`,
  );
  const holds = () => place.sql('select * from holds order by request');
  const before = await holds();
  await onDatabase(place, migrate);
  expect(await holds()).toEqual(before);
  const insert = (statement: string) => onDatabase(place, (db) => sql.raw(statement).execute(db));
  const negative = `insert into holds ${columns} values ('req_3', 'o', 'k', 'p', 'r', 1, -1, 3, 4, null)`;
  await expect(insert(negative)).rejects.toThrow(/holds_amount/);
  const again = `insert into holds ${columns} values ('req_1', 'o', 'k', 'p', 'r', 1, 1, 3, 4, null)`;
  await expect(insert(again)).rejects.toThrow(/unique/i);
});

test('each migration since the first release leaves older routers what they use', async () => {
  await using place = await makeStorePlace('empty');
  const names = Object.keys(MIGRATIONS).filter((name) => name >= FIRST_RELEASE);
  let before: Tables | null = null;
  for (const name of names) {
    const after = await onDatabase(place, async (db) => {
      await migrate(db, upTo(name));
      return await readTables(db);
    });
    if (before && !MIGRATIONS[name]?.excludesOlder) {
      expect(breakingChanges(before, after), name).toEqual([]);
    }
    before = after;
  }
});

test.each([
  ['a table that goes', 'DROP TABLE fleet_time', 'fleet_time is gone'],
  ['a column that goes', 'ALTER TABLE agents DROP COLUMN last_seen', 'agents.last_seen is gone'],
  [
    'a column with another name',
    'ALTER TABLE agents RENAME COLUMN last_seen TO seen',
    'agents.last_seen is gone',
  ],
  [
    'a unique index',
    'CREATE UNIQUE INDEX agents_by_name ON agents (name)',
    'agents has the new rule agents_by_name',
  ],
])('%s is found to break older routers', async (_what, statement, fault) => {
  await using place = await makeStorePlace();
  const [before, after] = await onDatabase(place, async (db) => {
    await migrate(db);
    const tables = await readTables(db);
    await sql.raw(statement).execute(db);
    return [tables, await readTables(db)] as const;
  });
  expect(breakingChanges(before, after)).toContain(fault);
});

test('a new column that older routers cannot fill is found to break them', () => {
  const column = { type: 'text', nullable: false, filled: false };
  const table = (columns: object) => ({
    columns: new Map(Object.entries(columns)),
    rules: new Set<string>(),
  });
  const before = new Map([['agents', table({ id: column })]]);
  const after = new Map([['agents', table({ id: column, later: column })]]);
  expect(breakingChanges(before, after)).toEqual([
    'agents.later is new, and has neither a default nor NULL',
  ]);
});
