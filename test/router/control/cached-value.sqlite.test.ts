import { expect, test } from 'vitest';
import { CachedValue } from '../../../router/control/cached-value.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** Values that the test makes: each waits until it is resolved or rejected. */
function make() {
  const clock = new ManualClock();
  const made: PromiseWithResolvers<number>[] = [];
  const cached = new CachedValue(clock, 10_000, () => {
    const next = Promise.withResolvers<number>();
    made.push(next);
    return next.promise;
  });
  return { clock, made, cached };
}

test('a value is made once for all who ask, and again when it is too old', async () => {
  const { clock, made, cached } = make();
  const all = Promise.all([cached.get(), cached.get()]);
  made[0]?.resolve(1);
  expect(await all).toEqual([1, 1]);
  clock.advance(9_999);
  expect(await cached.get()).toBe(1);
  clock.advance(1);
  const next = cached.get();
  made[1]?.resolve(2);
  expect(await next).toBe(2);
  expect(made).toHaveLength(2);
});

test('a value that cannot be made is refused to those who wait, and made again for the next', async () => {
  const { made, cached } = make();
  const all = [cached.get(), cached.get()];
  made[0]?.reject(new Error('the store is away'));
  for (const one of all) await expect(one).rejects.toThrow('the store is away');
  const next = cached.get();
  made[1]?.resolve(2);
  expect(await next).toBe(2);
});

test('when a value cannot be made, the last one is used, and it is not tried again at once', async () => {
  const { clock, made, cached } = make();
  const first = cached.get();
  made[0]?.resolve(1);
  expect(await first).toBe(1);
  clock.advance(10_000);
  const failing = [cached.get(), cached.get()];
  made[1]?.reject(new Error('the store is away'));
  expect(await Promise.all(failing)).toEqual([1, 1]);
  clock.advance(9_999);
  expect(await cached.get()).toBe(1);
  expect(made).toHaveLength(2);
  clock.advance(1);
  const next = cached.get();
  made[2]?.resolve(3);
  expect(await next).toBe(3);
});

test('a value that was begun before it was outdated is not cached', async () => {
  const { made, cached } = make();
  const before = cached.get();
  cached.outdate();
  const after = cached.get();
  made[1]?.resolve(2);
  made[0]?.resolve(1);
  expect([await before, await after, await cached.get()]).toEqual([1, 2, 2]);
  expect(made).toHaveLength(2);
});
