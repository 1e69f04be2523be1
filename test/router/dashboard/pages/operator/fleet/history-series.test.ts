/** The lines of the charts of the fleet's history. */
import { expect, test } from 'vitest';
import {
  linesOf,
  type Measure,
  MEASURES,
} from '../../../../../../router/dashboard/pages/operator/fleet/history-series.ts';
import { startsOf } from '../../../../../../router/dashboard/pages/operator/history/history-range.ts';
import { historyOf } from './fleet-history.ts';

test('errors are a share of the requests that were served or failed, and there is none without any', () => {
  const history = historyOf({
    minutes: 30,
    bucketMinutes: 10,
    points: [
      { answered: 7, cancelled: 1, refused: 5, failed: 1, unavailable: 1 },
      { completion_tokens: 1 },
      { answered: 1 },
    ],
  });
  const measure = MEASURES.find(({ title }) => title === 'Share of failed requests') as Measure;
  expect(linesOf(history, measure, ['All'])).toEqual([{ name: 'All', values: [0.2, null, 0] }]);
});

test('a bucket without figures is a gap, and the last bucket counts as far as it has come', () => {
  const history = historyOf({
    minutes: 25,
    bucketMinutes: 10,
    points: [{ answered: 60 }, null, { answered: 60 }],
  });
  expect(startsOf(history, history.bucket_seconds)).toHaveLength(3);
  const measure = MEASURES.find(({ title }) => title === 'Requests per second') as Measure;
  expect(linesOf(history, measure, ['All'])).toEqual([{ name: 'All', values: [0.1, null, 0.2] }]);
});
