/** The live figures of the fleet before the page has read them itself. */
import { expect, test } from 'vitest';
import {
  filledSpeeds,
  recordedTotals,
} from '../../../../../../router/dashboard/pages/operator/fleet/recorded-totals.ts';
import { historyOf } from './fleet-history.ts';

const minutes = (points: Parameters<typeof historyOf>[0]['points'], length = points.length) =>
  historyOf({ minutes: length, bucketMinutes: 1, points });

test('the last minutes that routers have written are the first figures', () => {
  const history = minutes([
    { tokens_per_second: 3, prompt_tokens: 100, cached_tokens: 20 },
    { tokens_per_second: 5, prompt_tokens: 300, cached_tokens: 80 },
    null,
  ]);
  expect(recordedTotals(history)).toEqual({
    tokensPerSecond: 5,
    speeds: [3, 5],
    hits: 0.25,
    looked: 400,
  });
});

test('minutes of long ago are not shown as now', () => {
  const history = minutes([{ tokens_per_second: 3, prompt_tokens: 100 }], 10);
  expect(recordedTotals(history)).toEqual({
    tokensPerSecond: null,
    speeds: [],
    hits: null,
    looked: 0,
  });
});

test('recorded speeds fill the slots that live ones do not, and make room for them', () => {
  expect(filledSpeeds([], [3, 5], 6)).toEqual([3, 3, 3, 5, 5, 5]);
  expect(filledSpeeds([7, 8], [3, 5], 6)).toEqual([3, 5, 5, 5, 7, 8]);
  expect(filledSpeeds([1, 2, 3], [9, 9], 3)).toEqual([1, 2, 3]);
  expect(filledSpeeds([7], [], 6)).toEqual([7]);
});
