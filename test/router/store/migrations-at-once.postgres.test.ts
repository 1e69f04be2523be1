/** Versions that start on one new store at the same time. */
import { expect, test } from 'vitest';
import { migrate, MIGRATIONS, migrationsOf } from '../../../router/store/migrate.ts';
import { STATE_MIGRATION } from '../../../router/store/schema-state.ts';
import { makeStorePlace } from '../../support/store.ts';
import { onDatabase } from './on-database.ts';

test('an earlier version starts, although this one migrates the store while it waits to do so', async () => {
  await using place = await makeStorePlace('empty');
  const earlier = Object.fromEntries(
    Object.entries(MIGRATIONS).filter(([name]) => name <= STATE_MIGRATION),
  );
  const versions = [MIGRATIONS, earlier, MIGRATIONS, earlier];
  await Promise.all(versions.map((known) => onDatabase(place, (db) => migrate(db, known))));
  const { missing } = await onDatabase(place, (db) => migrationsOf(db));
  expect(missing).toEqual([]);
});
