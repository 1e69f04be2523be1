/** How counts and their changes are written. */
import { expect, test } from 'vitest';
import {
  compactCount,
  shownChange,
  shownPoints,
  shownSize,
} from '../../../../router/dashboard/format/count.ts';

test.each([
  [112, 100, '+12%'],
  [100, 100, '0%'],
  [50, 100, '-50%'],
  [1_000, 100, '+900%'],
  [1_449, 100, '×14'],
  [0, 100, '-100%'],
  [5, 0, null],
  [null, 5, null],
  [5, null, null],
])('%j after %j: %j', (value, before, shown) => {
  expect(shownChange(value, before)).toBe(shown);
});

test('a share changes by points', () => {
  expect(shownPoints(0.45, 0.4)).toBe('+5 points');
  expect(shownPoints(0.4, null)).toBe(null);
});

test.each([
  [300, '1 kB'],
  [16_021, '16 kB'],
  [999_400, '999 kB'],
  [999_500, '1.0 MB'],
  [1_200_006, '1.2 MB'],
])('a size of %j bytes: %j', (bytes, shown) => {
  expect(shownSize(bytes)).toBe(shown);
});

test.each([
  [9_999, '9,999'],
  [12_345, '12.3K'],
  [262_144, '262K'],
  [1_048_576, '1M'],
  [1_234_567, '1.2M'],
])('a count of %s is %s for short', (count, text) => {
  expect(compactCount(count)).toBe(text);
});
