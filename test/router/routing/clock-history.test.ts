import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ClockHistory } from '../../../router/routing/clock-history.ts';

test('the clock at a time is that of the last moment before, and null before the first', () => {
  const history = new ClockHistory();
  expect(history.at(5)).toBeNull();
  history.add(10, 100);
  history.add(20, 200);
  history.add(30, 300);
  expect(history.at(9.9)).toBeNull();
  expect(history.at(10)).toBe(100);
  expect(history.at(29)).toBe(200);
  expect(history.at(1_000)).toBe(300);
});

test('what is before the last question is forgotten', () => {
  const history = new ClockHistory();
  for (let nth = 0; nth < 10; nth++) history.add(nth, nth);
  expect(history.at(7.5)).toBe(7);
  expect(history.length).toBe(3);
  expect(history.at(6)).toBeNull();
});

test('however many moments there are, few are kept, and none is too late by much', () => {
  const gap = fc.integer({ min: 0, max: 5 });
  fc.assert(
    fc.property(fc.array(gap, { minLength: 2_000, maxLength: 6_000 }), (gaps) => {
      const history = new ClockHistory();
      let seconds = 0;
      for (const more of gaps) {
        seconds += more;
        history.add(seconds, seconds);
        expect(history.length).toBeLessThanOrEqual(1_024);
      }
      const asked = seconds / 2;
      const clock = history.at(asked) ?? 0;
      expect(clock).toBeLessThanOrEqual(asked);
      expect(asked - clock).toBeLessThanOrEqual(seconds / 128);
    }),
    { numRuns: 20 },
  );
});
