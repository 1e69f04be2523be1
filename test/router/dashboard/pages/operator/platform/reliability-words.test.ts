/** The reliability of the platform in words. */
import { expect, test } from 'vitest';
import { shownSmallShare } from '../../../../../../router/dashboard/format/count.ts';
import {
  msBefore,
  shareBefore,
  shownAvailability,
} from '../../../../../../router/dashboard/pages/operator/platform/reliability-words.ts';

test('an availability is rounded down, and errors are never rounded away', () => {
  expect([1, 0.9999999, 0.99967, 0.5, null].map(shownAvailability)).toEqual([
    '100%',
    '99.999%',
    '99.967%',
    '50.000%',
    '–',
  ]);
  expect([0, 0.0000001, 0.001, 0.25, null].map(shownSmallShare)).toEqual([
    '0%',
    '<0.1%',
    '0.1%',
    '25%',
    '–',
  ]);
});

test('a figure is compared with the one before, unless there was none', () => {
  expect(shareBefore(0.98, 0.99, shownAvailability)).toBe('Before: 99.000% (-1 points)');
  expect(shareBefore(0.99, 0.99, shownAvailability)).toBe('Before: 99.000%');
  expect(shareBefore(0.99, null, shownAvailability)).toBeNull();
  expect(shareBefore(null, 0.99, shownAvailability)).toBe('Before: 99.000%');
  expect(msBefore(1_100, 1_000)).toBe('Before: 1.00 s (+10%)');
  expect(msBefore(500, 0)).toBe('Before: 0 ms');
  expect(msBefore(500, null)).toBeNull();
});
