/** Indexes of large tables are built beside the writes of running routers. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bringUpToDate } from '../../../router/store/postgres/bring-up-to-date.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { makeStorePlace, type StorePlace } from '../../support/store.ts';

let place: StorePlace;
let running: pg.Client;
let other: pg.Client;
beforeAll(async () => {
  place = await makeStorePlace();
  running = new pg.Client(place.url);
  other = new pg.Client(place.url);
  await Promise.all([running.connect(), other.connect()]);
});
afterAll(async () => {
  await Promise.all([running.end(), other.end()]);
  await place[Symbol.asyncDispose]();
});

const start = () => bringUpToDate(place.url, { clock, log: makeLog('test', 'silent') });
/** What a settlement locks of the table. */
const WRITE = 'LOCK TABLE transfers IN ROW EXCLUSIVE MODE';

async function isBuilt(): Promise<boolean> {
  const rows = await place.sql(
    "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('transfers_kind')",
  );
  return (rows as { valid: boolean }[])[0]?.valid === true;
}

test('a new store has the index', async () => {
  expect(await isBuilt()).toBe(true);
});

test('transfers are written while the index is built', async () => {
  await place.sql('DROP INDEX transfers_kind');
  await running.query('BEGIN');
  await running.query(WRITE);
  const started = start();
  // It waits for the transaction that began before it.
  await expect
    .poll(() => place.sql('SELECT phase FROM pg_stat_progress_create_index'))
    .toEqual([{ phase: 'waiting for writers before build' }]);
  await other.query(`BEGIN; SET LOCAL lock_timeout = 500; ${WRITE}; COMMIT`);
  await running.query('COMMIT');
  await started;
  expect(await isBuilt()).toBe(true);
});

test('an index whose build failed is built anew', async () => {
  await place.sql(
    "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'transfers_kind'::regclass",
  );
  await start();
  expect(await isBuilt()).toBe(true);
});

test('of routers that start together, one builds the index', async () => {
  await place.sql('DROP INDEX transfers_kind');
  await Promise.all([start(), start(), start()]);
  expect(await isBuilt()).toBe(true);
});
