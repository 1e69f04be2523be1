/** A router far from its PostgreSQL: what waits for one round trip after another is soon too slow. */
import { expect, test } from 'vitest';
import { openLedger } from '../../../router/ledger/ledger.ts';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import { openStore } from '../../../router/store/open-store.ts';
import { systemClock } from '../../../shared/clock.ts';
import { farStore } from '../../support/far-store.ts';
import { REGISTRY, Rig } from './rig.ts';

/** One after the other, so many questions would take longer than the five seconds of a batch. */
const ASKED = 400;
const ROUND_TRIP_MS = 20;

test('hundreds of clients that ask at once what is left of their keys are in nobody’s way', async () => {
  await using rig = await Rig.start();
  const organization = await rig.organization(1_000n);
  const key = await rig.key(organization, 'asked');
  await using far = await farStore(rig.place.url, ROUND_TRIP_MS / 2);
  const parts = { ...rig.parts, clock: systemClock };
  await using store = await openStore({ url: far.url, registry: REGISTRY }, parts);
  await using ledger = await openLedger({ ...parts, store }, { url: null, regions: ['global'] });
  const asked = Array.from({ length: ASKED }, () =>
    ledger.keyStanding({ organization, key, limits: UNLIMITED }),
  );
  const reserved = ledger.reserve(rig.reservation(organization, 5n));
  for (const { name } of await Promise.all(asked)) expect(name).toBe('asked');
  expect(await reserved).toHaveProperty('held');
});
