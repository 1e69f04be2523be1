/** A store is examined on a connection that cannot write, on both databases. */
import { expect, test } from 'vitest';
import { inspectStore } from '../../../router/store/inspect.ts';
import { migrationsOf } from '../../../router/store/migrate.ts';
import { openStore } from '../../../router/store/open-store.ts';
import { readTime } from '../../../router/store/time.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { makeStorePlace } from '../../support/store.ts';
import { LOG as log } from '../ledger/rig.ts';

test('a store that a router has open is read, and cannot be written to', async () => {
  await using place = await makeStorePlace();
  const registry = new URL('./registry.ts', import.meta.url);
  await using undo = new AsyncDisposableStack();
  undo.use(await openStore({ url: place.url, registry }, { clock, log }));
  const { missing, unknown, now } = await inspectStore(place.url, clock, async (db) => ({
    ...(await migrationsOf(db)),
    ...(await readTime.run(db, null)),
  }));
  expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
  expect(Math.abs(now - clock.now())).toBeLessThan(60_000);
  const writing = inspectStore(place.url, clock, (db) => db.deleteFrom('fleet_time').execute());
  await expect(writing).rejects.toThrow(/read-?only/);
});
