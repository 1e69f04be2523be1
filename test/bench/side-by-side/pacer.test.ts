import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pacer } from './pacer.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('steps keep their own schedules, and end when they say so', () => {
  const pacer = new Pacer();
  const calls: string[] = [];
  const counted = (name: string, most: number, everyMs: number) => {
    let called = 0;
    return () => {
      calls.push(`${name} ${Math.round(performance.now() - begun)}`);
      return ++called < most ? everyMs : null;
    };
  };
  const begun = performance.now();
  pacer.start(counted('a', 3, 20), 20);
  pacer.start(counted('b', 2, 25), 25);
  vi.advanceTimersByTime(200);
  expect(calls).toEqual(['a 20', 'b 25', 'a 40', 'b 50', 'a 60']);
  expect(pacer.takeLateness()).toMatchObject({ steps: 5, late: 0 });
  expect(vi.getTimerCount()).toBe(0);
});

test('a step that is further ahead than the ring is an error', () => {
  expect(() => new Pacer().start(() => null, 5000)).toThrow('ahead');
});
