/** The failed requests that a host had last. */
import { expect, test } from 'vitest';
import { failedOnHost } from '../../../../../../router/dashboard/pages/operator/fleet/failed-on-host.ts';
import type { PlatformFailure } from '../../../../../../shared/api/platform.ts';

const SINCE = Date.UTC(2026, 0, 1, 12);

function failure(nth: number, agent: string | null, ms: number): PlatformFailure {
  return {
    request_id: `req_${nth}`,
    agent,
    created: new Date(SINCE + ms).toISOString(),
  } as PlatformFailure;
}

test('the failed requests of a host are those of the time, the latest first', () => {
  const data = [
    failure(4, 'agt_a', 3_000),
    failure(3, null, 2_000),
    failure(2, 'agt_b', 2_000),
    failure(1, 'agt_a', 1_000),
    failure(0, 'agt_a', -1_000),
  ];
  const found = failedOnHost('agt_a', { data, has_more: true }, SINCE);
  expect(found.failures.map(({ request_id: id }) => id)).toEqual(['req_4', 'req_1']);
  expect(found.areNone).toBe(false);
});

test('it is known that there are none only if no more of the time may be unlisted', () => {
  const recent = [failure(1, 'agt_b', 1_000)];
  const old = failure(0, 'agt_a', -1_000);
  expect(failedOnHost('agt_a', { data: recent, has_more: true }, SINCE).areNone).toBe(false);
  expect(failedOnHost('agt_a', { data: recent, has_more: false }, SINCE).areNone).toBe(true);
  const found = failedOnHost('agt_a', { data: [...recent, old], has_more: true }, SINCE);
  expect(found).toEqual({ failures: [], areNone: true });
});
