import { expect, test } from 'vitest';
import { PeerRates } from '../../../shared/bounds/peer-rates.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const RATES = {
  all: { perSecond: 4, burst: 4 },
  peer: { perSecond: 1, burst: 2 },
  peersMax: 3,
} as const;

test('a peer beyond its own rate takes nothing from the rate of all', () => {
  const rates = new PeerRates<string>(new ManualClock(), RATES);
  expect(Array.from({ length: 9 }, () => rates.spend('a'))).toEqual(
    Array.from({ length: 9 }, (_, nth) => nth < 2),
  );
  expect([rates.spend('b'), rates.spend('b'), rates.spend('c')]).toEqual([true, true, false]);
});

test('any number of peers takes the memory of a few, and the rate for all of them holds', () => {
  const clock = new ManualClock();
  const rates = new PeerRates<number>(clock, RATES);
  const spent = Array.from({ length: 1_000 }, (_, nth) => rates.spend(nth));
  expect(spent.filter(Boolean)).toHaveLength(4);
  expect(rates.size).toBe(3);
  clock.advance(1_000);
  expect(rates.spend(999)).toBe(true);
});

test('what costs several units is refused while fewer are left, and spends none', () => {
  const rates = new PeerRates<string>(new ManualClock(), RATES);
  const spent = [rates.spend('a', 3), rates.spend('a', 2), rates.spend('a')];
  expect(spent).toEqual([false, true, false]);
});
