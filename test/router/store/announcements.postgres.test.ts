/** Changes by one router, and the notifications that the others receive. */
import { expect, test } from 'vitest';
import { openStore } from '../../../router/store/open-store.ts';
import { REGISTRY, Rig } from '../ledger/rig.ts';
import { setStatus } from '../ledger/set-organization.ts';

const PATIENCE = { timeout: 10_000, interval: 20 };

test('MONEY 11: a change is heard on every router, itself included, as soon as it has committed', async () => {
  await using rig = await Rig.start();
  const config = { url: rig.place.url, registry: REGISTRY };
  await using other = await openStore(config, rig);
  const heard: string[] = [];
  for (const [name, store] of Object.entries({ mine: rig.store, other })) {
    store.onAnnouncement((of) => void heard.push(`${name}: ${of ?? 'anything'}`));
  }
  const organization = await rig.organization(1n);
  // The organization's first credit also causes a notification, which comes first.
  await expect.poll(() => heard.length, PATIENCE).toBe(2);
  heard.length = 0;
  await rig.store.call(setStatus, { organization, status: 'suspended' });
  await expect
    .poll(() => heard.toSorted(), PATIENCE)
    .toEqual([`mine: ${organization}`, `other: ${organization}`]);
});

test('MONEY 11: a router that did not hear for a while is told that it may have missed anything', async () => {
  await using rig = await Rig.start();
  const heard: unknown[] = [];
  rig.store.onAnnouncement((of) => void heard.push(of));
  const organization = await rig.organization(1n);
  await rig.sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
  );
  await expect
    .poll(() => {
      rig.clock.advance(1_000);
      return heard;
    }, PATIENCE)
    .toContain(null);
  // The notification of the organization's first credit may have arrived, too.
  heard.length = 0;
  await rig.ledger.heartbeat();
  await rig.store.call(setStatus, { organization, status: 'suspended' });
  await expect.poll(() => heard, PATIENCE).toEqual([organization]);
});
