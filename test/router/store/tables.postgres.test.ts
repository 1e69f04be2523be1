/** The storage settings on PostgreSQL of the tables that every request writes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock as clock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { Store } from '../../../router/store/store.ts';
import { makeStorePlace, type StorePlace } from '../../support/store.ts';

let place: StorePlace;
let store: Store;
beforeAll(async () => {
  place = await makeStorePlace();
  const registry = new URL('./registry.ts', import.meta.url);
  store = await openStore({ url: place.url, registry }, { clock, log: makeLog('test', 'silent') });
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

/** Tables whose rows are updated, as opposed to tables that only grow. */
const CHANGING = ['accounts', 'holds', 'meters', 'windows'];
const NAMES = CHANGING.map((name) => `'${name}'`).join(', ');

test('MONEY 24: what every request writes anew has room beside it on its page', async () => {
  const rows = await place.sql(
    `SELECT relname AS name, array_to_string(reloptions, ',') AS options FROM pg_class
     WHERE relname IN (${NAMES}) ORDER BY relname`,
  );
  for (const row of rows as { name: string; options: string }[]) {
    const fill = Number(/fillfactor=(\d+)/.exec(row.options)?.[1]);
    expect(fill, row.name).toBeLessThanOrEqual(70);
  }
  expect(rows).toHaveLength(CHANGING.length);
});

test('MONEY 24: no index is on a column that changes, so that a change touches no index', async () => {
  const rows = await place.sql(
    `SELECT t.relname AS table, string_agg(DISTINCT a.attname, ' ' ORDER BY a.attname) AS columns
     FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
       JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY(i.indkey)
     WHERE t.relname IN (${NAMES}) GROUP BY t.relname ORDER BY t.relname`,
  );
  expect(rows).toEqual([
    { table: 'accounts', columns: 'id' },
    // Only setting the caps of a member changes the member of a hold, and not a booking.
    { table: 'holds', columns: 'incarnation member request' },
    { table: 'meters', columns: 'key' },
    { table: 'windows', columns: 'subject' },
  ]);
});

test('MONEY 24: an account is narrow: nothing but numbers and its id', async () => {
  const rows = await place.sql(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_name = 'accounts' AND data_type <> 'bigint'`,
  );
  expect(rows).toEqual([{ name: 'id' }]);
});
