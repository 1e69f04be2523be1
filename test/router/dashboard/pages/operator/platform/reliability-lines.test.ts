/** The charts of reliability on the operators' first page. */
import { expect, test } from 'vitest';
import {
  availabilityHeight,
  availabilityHeights,
  reliabilityLines,
} from '../../../../../../router/dashboard/pages/operator/platform/reliability-lines.ts';
import { historyOf } from '../fleet/fleet-history.ts';

function labels(values: readonly (number | null)[]): string[] {
  return availabilityHeights(values).map(availabilityHeight);
}

test('the axis of availability ends at 100%, and begins below the objective and the worst value', () => {
  expect(labels([1, null, 1])).toEqual(['99.8%', '99.85%', '99.9%', '99.95%', '100%']);
  expect(labels([])).toEqual(labels([1]));
  expect(labels([0.998, 0.91])).toEqual(['90%', '92%', '94%', '96%', '98%', '100%']);
  expect(labels([0]).at(0)).toBe('0%');
});

test('a bucket whose requests were only refused has no availability, and one of failures has them', () => {
  const history = historyOf({
    minutes: 40,
    bucketMinutes: 10,
    points: [{ answered: 97, failed: 2, unavailable: 1 }, { refused: 4 }],
  });
  const { starts, availability, errors } = reliabilityLines(history);
  expect(starts).toHaveLength(4);
  expect(availability.values).toEqual([0.97, null, null, null]);
  expect(errors.map(({ name, values }) => [name, ...values])).toEqual([
    ['Unavailable (503)', 1, 0, null, null],
    ['Failed (other 5xx)', 2, 0, null, null],
  ]);
});
