import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { sleep, systemClock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { StoreUnavailable } from '../../../router/store/errors.ts';
import { openStore } from '../../../router/store/open-store.ts';
import { makeStorePlace } from '../../support/store.ts';
import { closedGate } from './gate.ts';
import * as registry from './registry.ts';

const parts = { clock: systemClock, log: makeLog('test', 'silent') };

test('a heavy read that loses its connection is answered at once, and the next has another', async () => {
  await using place = await makeStorePlace();
  const url = place.url;
  const here = new URL('./registry.ts', import.meta.url);
  await using store = await openStore({ url, registry: here }, parts);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const waiting = store.call(registry.waitThere, null);
    const lost = expect(waiting).rejects.toThrow(StoreUnavailable);
    await vi.waitFor(
      async () => {
        const { rowCount } = await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND query = 'select pg_sleep(8)' AND state = 'active'`,
        );
        expect(rowCount).toBe(1);
      },
      { timeout: 20_000 },
    );
    await lost;
    expect(await store.call(registry.listPeopleAside, null)).toEqual([]);
  } finally {
    await client.end();
  }
});

test('a heavy read may work something out for longer than a transaction that writes may pause', async () => {
  await using place = await makeStorePlace();
  const here = new URL('./registry.ts', import.meta.url);
  await using store = await openStore({ url: place.url, registry: here }, parts);
  const { gate, started, open } = closedGate();
  const busy = store.call(registry.spin, gate);
  await started();
  await sleep(systemClock, 2_500);
  open();
  expect(await busy).toEqual([]);
});

test('a heavy thread that cannot start is a store that is out of reach, for heavy procedures alone', async () => {
  await using place = await makeStorePlace();
  const nowhere = new URL('./nowhere.ts', import.meta.url);
  await using store = await openStore({ url: place.url, registry: nowhere }, parts);
  const heavy = () => store.call(registry.listPeopleAside, null);
  await expect(heavy()).rejects.toThrow(StoreUnavailable);
  await expect(heavy()).rejects.toThrow('nowhere.ts');
  expect(await store.call(registry.listPeople, null)).toEqual([]);
});
