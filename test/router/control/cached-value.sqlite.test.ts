import { expect, test } from 'vitest';
import { Kept } from '../../../router/control/public-figures/kept.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** Values that the test makes: each waits until it is resolved or rejected. */
function make() {
  const clock = new ManualClock();
  const made: PromiseWithResolvers<number>[] = [];
  const kept = new Kept(clock, 10_000, () => {
    const next = Promise.withResolvers<number>();
    made.push(next);
    return next.promise;
  });
  return { clock, made, kept };
}

test('a value is made once for all who ask, and again when it is too old', async () => {
  const { clock, made, kept } = make();
  const all = Promise.all([kept.get(), kept.get()]);
  made[0]?.resolve(1);
  expect(await all).toEqual([1, 1]);
  clock.advance(9_999);
  expect(await kept.get()).toBe(1);
  clock.advance(1);
  const next = kept.get();
  made[1]?.resolve(2);
  expect(await next).toBe(2);
  expect(made).toHaveLength(2);
});

test('a value that cannot be made is refused to those who wait, and made again for the next', async () => {
  const { made, kept } = make();
  const all = [kept.get(), kept.get()];
  made[0]?.reject(new Error('the store is away'));
  for (const one of all) await expect(one).rejects.toThrow('the store is away');
  const next = kept.get();
  made[1]?.resolve(2);
  expect(await next).toBe(2);
});

test('a value that was begun before it was forgotten is not kept', async () => {
  const { made, kept } = make();
  const before = kept.get();
  kept.forget();
  const after = kept.get();
  made[1]?.resolve(2);
  made[0]?.resolve(1);
  expect([await before, await after, await kept.get()]).toEqual([1, 2, 2]);
  expect(made).toHaveLength(2);
});
