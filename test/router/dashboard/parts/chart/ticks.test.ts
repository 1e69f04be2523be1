import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownMs, shownSpeed } from '../../../../../router/dashboard/format/count.ts';
import { ticksUpTo } from '../../../../../router/dashboard/parts/chart/ticks.ts';

test.each([
  [0, false, [0, 1]],
  [0.38, false, [0, 0.1, 0.2, 0.3, 0.4]],
  [0.0000055, false, [0, 0.000002, 0.000004, 0.000006]],
  [1, false, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [1, true, [0, 1]],
  [3, true, [0, 1, 2, 3]],
  [7, true, [0, 2, 4, 6, 8]],
  [1_234_567, true, [0, 500_000, 1_000_000, 1_500_000]],
])('up to %s (whole: %s) the lines are at %j', (most, whole, lines) => {
  expect(ticksUpTo(most, whole)).toEqual(lines);
});

test('lines are far enough apart that no two labels are the same', () => {
  expect(ticksUpTo(0.17, false, shownSpeed)).toEqual([0, 0.1, 0.2]);
  expect(ticksUpTo(2.4, false, shownMs)).toEqual([0, 1, 2, 3]);
  // The labels never differ.
  expect(ticksUpTo(3, false, () => 'some')).toEqual([0, 3]);
});

test('few lines, evenly spaced at round values, reach every height', () => {
  const heights = fc.double({ min: 1e-12, max: 1e12, noNaN: true });
  const law = fc.property(heights, fc.boolean(), (most, whole) => {
    const lines = ticksUpTo(most, whole);
    const [, step = 0] = lines;
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(lines.length).toBeLessThanOrEqual(6);
    expect(lines.at(-1)).toBeGreaterThanOrEqual(most * (1 - 1e-9));
    expect(step.toExponential()).toMatch(/^[125]e/);
    if (whole) expect(lines.every(Number.isInteger)).toBe(true);
    for (const [at, line] of lines.entries()) expect(line / step).toBeCloseTo(at, 9);
  });
  fc.assert(law, { seed: 1 });
});
