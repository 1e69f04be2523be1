/** The time of a batch on the agent's clock. */
import { expect, test } from 'vitest';
import { EngineClock } from '../../../agent/engine/kv-events/engine-clock.ts';

const EPOCH = 1_700_000_000_000;

test('a batch that waited has the time at which it was written', () => {
  const clock = new EngineClock();
  expect(clock.toOwn(EPOCH, 100)).toBe(100);
  expect(clock.toOwn(EPOCH + 1_000, 9_100)).toBe(1_100);
  expect(clock.toOwn(EPOCH + 10_000, 10_100)).toBe(10_100);
});

test('until a batch comes faster, a slow one shows the difference of the clocks', () => {
  const clock = new EngineClock();
  expect(clock.toOwn(EPOCH, 5_000)).toBe(5_000);
  expect(clock.toOwn(EPOCH + 5_000, 5_100)).toBe(5_100);
  expect(clock.toOwn(EPOCH + 5_500, 9_000)).toBe(5_600);
});

test('no time is in the future, however the clock of the engine is set', () => {
  const clock = new EngineClock();
  clock.toOwn(EPOCH, 0);
  expect(clock.toOwn(EPOCH + 3_600_000, 1_000)).toBe(1_000);
  expect(clock.toOwn(EPOCH, 2_000)).toBeLessThan(2_000);
});
