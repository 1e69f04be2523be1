/** The traffic of the last minutes on the pages of the platform and of the routers. */
import { expect, test } from 'vitest';
import { recentTraffic } from '../../../../../../router/dashboard/pages/operator/routers/recent-traffic.ts';
import { historyOf } from '../fleet/fleet-history.ts';

const BUSY = { answered: 54, failed: 6, completion_tokens: 600 };

test('the last five minutes are counted, and no minute before them', () => {
  const points = Array.from({ length: 10 }, () => BUSY);
  expect(recentTraffic(historyOf({ minutes: 10, bucketMinutes: 1, points }))).toEqual({
    requestsPerSecond: 1,
    ttftMs: null,
  });
});

test('a minute that is not written yet does not count as one without requests', () => {
  const points = Array.from({ length: 9 }, () => BUSY);
  expect(recentTraffic(historyOf({ minutes: 10, bucketMinutes: 1, points }))).toMatchObject({
    requestsPerSecond: 1,
  });
});

test('the time to first token is that of the newest minute with an answer', () => {
  const points = [
    { ...BUSY, ttft_ms: { p50: 100, p95: 200 } },
    { ...BUSY, ttft_ms: { p50: 300, p95: 400 } },
    { failed: 1 },
  ];
  expect(recentTraffic(historyOf({ minutes: 3, bucketMinutes: 1, points })).ttftMs).toBe(300);
});
