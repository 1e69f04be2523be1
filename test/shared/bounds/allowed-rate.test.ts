import { expect, test } from 'vitest';
import { AllowedRate } from '../../../shared/bounds/allowed-rate.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('a burst is allowed at once, and then the rate', () => {
  const clock = new ManualClock();
  const rate = new AllowedRate(clock, { perSecond: 10, burst: 20 });
  expect(rate.spend(20)).toBe(true);
  expect(rate.spend(1)).toBe(false);
  clock.advance(500);
  expect(rate.spend(6)).toBe(false);
  expect(rate.spend(5)).toBe(true);
});

test('a long pause saves up no more than the burst', () => {
  const clock = new ManualClock();
  const rate = new AllowedRate(clock, { perSecond: 10, burst: 20 });
  clock.advance(60_000);
  expect(rate.spend(21)).toBe(false);
  expect(rate.spend(20)).toBe(true);
});
