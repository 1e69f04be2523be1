/** Routers on machines with different clocks share one time, and so share their rate windows. */
import { expect, test } from 'vitest';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import { StoreClock } from '../../../router/store/clock.ts';
import { systemClock } from '../../../shared/clock.ts';
import { Rig } from './rig.ts';

const LIMIT = 2;

function ahead(ms: number) {
  return { ...systemClock, now: () => systemClock.now() + ms };
}

test('a router two minutes ahead of another does not clear its windows', async () => {
  await using rig = await Rig.start();
  const { store, log } = rig;
  const routers = await Promise.all(
    [0, 120_000].map(async (ms) => {
      const parts = { store, local: ahead(ms), sinceBoot: () => systemClock.monotonic(), log };
      return await rig.openLedger({ clock: await StoreClock.open(parts) });
    }),
  );
  const organization = await rig.organization(1_000_000n);
  const limits = {
    ...UNLIMITED,
    organization: { ...UNLIMITED.organization, requestsPerMinute: LIMIT },
  };
  const ask = (router: number) =>
    routers[router]?.reserve(rig.reservation(organization, 10n, { limits }));
  for (let request = 0; request < LIMIT; request++) expect(await ask(0)).toHaveProperty('held');
  expect(await ask(1)).not.toHaveProperty('held');
  expect(await ask(0)).not.toHaveProperty('held');
});

test('a router whose time is wrong holds nothing new', async () => {
  await using rig = await Rig.start();
  let fault: string | null = null;
  const ledger = await rig.openLedger({ refusesHolds: () => fault });
  const organization = await rig.organization(1_000_000n);
  expect(await ledger.reserve(rig.reservation(organization, 10n))).toHaveProperty('held');
  fault = 'the time is wrong';
  await expect(ledger.reserve(rig.reservation(organization, 10n))).rejects.toThrow(fault);
});
