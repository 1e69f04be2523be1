/** The figures that alarms are made of, which they do not wait for. */
import { expect, test } from 'vitest';
import { soon } from '../../../router/control/platform/soon.ts';
import { CachedValue } from '../../../router/control/cached-value.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** Figures that are made when the test resolves or rejects them. */
function make() {
  const clock = new ManualClock();
  const making = Promise.withResolvers<string>();
  const figures = new CachedValue(clock, 10_000, () => making.promise);
  return { clock, making, read: () => soon(clock, 'figures', figures) };
}

test('figures that cannot be read raise no alarm, and hide no other', async () => {
  const { read, making } = make();
  making.reject(new Error('the store is away'));
  expect(await read()).toBeNull();
});

test('the alarms wait for the figures for a second, and have them as soon as they are made', async () => {
  const { clock, read, making } = make();
  const waiting = read();
  clock.advance(1_000);
  expect(await waiting).toBeNull();
  making.resolve('figures');
  expect(await read()).toBe('figures');
  expect(clock.timers).toBe(0);
});

test('figures that are read slowly leave the alarms with those before', async () => {
  const clock = new ManualClock();
  const next = [Promise.resolve('first'), new Promise<string>(() => undefined)];
  const figures = new CachedValue(clock, 10_000, () => next.shift() as Promise<string>);
  expect(await soon(clock, 'figures', figures)).toBe('first');
  clock.advance(10_000);
  const waiting = soon(clock, 'figures', figures);
  clock.advance(1_000);
  expect(await waiting).toBe('first');
});
