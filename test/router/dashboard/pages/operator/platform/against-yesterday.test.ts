/** Today's tokens against those of the same hours of yesterday. */
import { expect, test } from 'vitest';
import { tokensAgainstYesterday } from '../../../../../../router/dashboard/pages/operator/platform/against-yesterday.ts';
import { historyOf } from '../fleet/fleet-history.ts';

/** Tokens by hour, from noon (UTC) on. The history ends `minutes` after its start. */
function changeOf(hours: readonly (number | null)[], minutes: number): number | null {
  const points = hours.map((tokens) =>
    tokens === null ? null : { prompt_tokens: tokens - 1, completion_tokens: 1 },
  );
  return tokensAgainstYesterday(historyOf({ minutes, bucketMinutes: 60, points }));
}

const none = (hours: number): null[] => Array.from({ length: hours }, () => null);

test('the whole hours of today are compared with the same hours of yesterday', () => {
  // Noon to midnight, then yesterday's first two hours and the rest of it, then today's.
  const hours = [...none(12), 100, 100, ...none(22), 150, 100, 900];
  // It is 02:30: the third hour is not whole.
  expect(changeOf(hours, (12 + 24 + 2) * 60 + 30)).toBe(0.25);
});

test('nothing is compared in the first hour of a day, or with a day without tokens', () => {
  expect(changeOf([...none(12), 100, ...none(23), 50], (12 + 24) * 60 + 30)).toBeNull();
  expect(changeOf([...none(36), 50, 50], (12 + 24 + 1) * 60 + 30)).toBeNull();
});
