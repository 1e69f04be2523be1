import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreLocked, StoreUnavailable } from '../../../router/store/errors.ts';
import { openStore, openStoreReadOnly } from '../../../router/store/open-store.ts';
import type { Procedure } from '../../../router/store/procedure.ts';
import type { Store } from '../../../router/store/store.ts';
import { makeLog } from '../../../shared/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import * as registry from './registry.ts';

const { addPerson, listPeople } = registry;
const REGISTRY = new URL('./registry.ts', import.meta.url);
const log = makeLog('test', 'silent');

let folder: string;
let file: string;
let clock: ManualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'penstock-store-'));
  file = join(folder, 'penstock.db');
  clock = new ManualClock();
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (at = file): Promise<Store> =>
  openStore({ url: `sqlite:${at}`, registry: REGISTRY }, { clock, log });
const openToRead = () =>
  openStoreReadOnly({ url: `sqlite:${file}`, registry: REGISTRY }, { clock, log });

test('what a procedure has written is there for the next reader, and after a clean close', async () => {
  {
    await using store = await open();
    await store.call(addPerson, 'ada');
    expect(await store.call(listPeople, null)).toEqual(['ada']);
  }
  // The write-ahead log was merged into the file, so there is one file to copy.
  expect(readdirSync(folder).toSorted()).toEqual(['penstock.db', 'penstock.db.lock']);
  await using again = await open();
  expect(await again.call(listPeople, null)).toEqual(['ada']);
});

test('MONEY 25: a second opener is refused by name, until the first has closed', async () => {
  {
    await using store = await open();
    await expect(open()).rejects.toThrow(StoreLocked);
    await expect(open()).rejects.toThrow(file);
    await store.call(addPerson, 'bob');
  }
  await using again = await open();
  await again.call(addPerson, 'ada');
});

test('a read-only opener reads beside the writer, and does not write', async () => {
  await expect(openToRead()).rejects.toThrow(`there is no store ${file}`);
  await using store = await open();
  await store.call(addPerson, 'ada');
  {
    await using reader = await openToRead();
    expect(await reader.call(listPeople, null)).toEqual(['ada']);
    await store.call(addPerson, 'bob');
    expect(await reader.call(listPeople, null)).toEqual(['ada', 'bob']);
    await expect(reader.call(addPerson, 'eve')).rejects.toThrow('reading only');
  }
  await store.call(addPerson, 'cy');
});

test('a read-only opener reads a store that nobody has open, and leaves it so', async () => {
  {
    await using store = await open();
    await store.call(addPerson, 'ada');
  }
  {
    await using reader = await openToRead();
    expect(await reader.call(listPeople, null)).toEqual(['ada']);
  }
  await using again = await open();
  expect(await again.call(listPeople, null)).toEqual(['ada']);
});

test('what cannot be opened says why, and holds no lock', async () => {
  writeFileSync(
    file,
    'this is not a database, though it is long enough to be looked at '.repeat(50),
  );
  await expect(open()).rejects.toThrow('not a database');
  rmSync(file);
  for (const url of ['sqlite:', 'sqlite::memory:', 'mysql://x', 'penstock.db']) {
    const opening = async () => openStore({ url, registry: REGISTRY }, { clock, log });
    await expect(opening()).rejects.toThrow('must be sqlite:PATH or postgres://');
  }
  const nowhere = new URL('./nowhere.ts', import.meta.url);
  const opening = openStore({ url: `sqlite:${file}`, registry: nowhere }, { clock, log });
  await expect(opening).rejects.toThrow('nowhere.ts');
  await using store = await open();
  await store.call(addPerson, 'ada');
});

test('a store of a later version, which excludes this one, is refused', async () => {
  await (await open())[Symbol.asyncDispose]();
  const database = new BetterSqlite3(file);
  database.exec(`INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01T00:00:00.000Z')`);
  // Every object has a `constructor`, which is no migration.
  for (const needs of ['9999-later', 'constructor']) {
    database.prepare('UPDATE schema_state SET needs = ?').run(needs);
    await expect(open()).rejects.toThrow('9999-later');
  }
  database.close();
});

test('the folder is made, and the files are for their owner only', async () => {
  const deep = join(folder, 'a', 'b', 'penstock.db');
  await using store = await open(deep);
  await store.call(addPerson, 'ada');
  for (const name of ['', '.lock', '-wal', '-shm']) {
    expect(statSync(`${deep}${name}`).mode & 0o077).toBe(0);
  }
});

test('MONEY 25: checkpoints run apart, and keep the log within bounds under writes without a pause', async () => {
  await using store = await open();
  let largest = 0;
  const writeOn = async () => {
    for (let n = 0; n < 25; n++) {
      await store.call(registry.churn, 4);
      clock.advance(1_000);
      largest = Math.max(largest, statSync(`${file}-wal`).size / 2 ** 20);
    }
  };
  await Promise.all([writeOn(), writeOn()]);
  expect(largest).toBeLessThan(120);
});

test('a closed store refuses, and keeps no timer', async () => {
  const store = await open();
  const reading = store.call(listPeople, null);
  await store[Symbol.asyncDispose]();
  expect(await reading).toEqual([]);
  await expect(store.call(addPerson, 'ada')).rejects.toThrow(StoreUnavailable);
  expect(clock.timers).toBe(0);
});

test('procedures are found by name, and one that is missing is named', async () => {
  await using store = await open();
  const missing: Procedure<null, null> = { name: 'nope', access: 'write', run: async () => null };
  await expect(store.call(missing, null)).rejects.toThrow('no procedure nope');
  await expect(store.call(registry.answerFunction, null)).rejects.toThrow('could not be cloned');
});
