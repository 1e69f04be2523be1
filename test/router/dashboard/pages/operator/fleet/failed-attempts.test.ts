/** Which share of the attempts of the last hour failed. */
import { expect, test } from 'vitest';
import {
  failedShare,
  failingHosts,
  isFailing,
  lastHourOf,
} from '../../../../../../router/dashboard/pages/operator/fleet/failed-attempts.ts';
import type { FleetHistory } from '../../../../../../shared/api/fleet-history.ts';
import { historyOf } from './fleet-history.ts';

type Total = Parameters<typeof historyOf>[0]['total'];

/** `workers`: the names of the host and of the worker, and its figures. */
function hourOf(...workers: readonly (readonly [string, string, Total])[]): FleetHistory {
  const history = historyOf({ minutes: 60, bucketMinutes: 1, points: [] });
  const groups = workers.flatMap(([name, worker, total = {}]) =>
    historyOf({ minutes: 60, bucketMinutes: 1, points: [], total }).groups.map((group) => ({
      ...group,
      agent: `agt_${name}`,
      agent_name: name,
      worker,
    })),
  );
  return { ...history, groups };
}

test('failed attempts are those that a worker failed or had no room for, of all that were not refused', () => {
  const hour = lastHourOf(
    hourOf(
      ['gpu-1', 'vllm', { answered: 70, cancelled: 3, failed: 8, unavailable: 2, refused: 900 }],
      ['gpu-1', 'sglang', { answered: 17 }],
      ['gpu-2', 'vllm', { refused: 5, limited: 5 }],
    ),
  );
  expect([...hour.workers]).toEqual([
    ['agt_gpu-1/vllm', { failed: 10, all: 83 }],
    ['agt_gpu-1/sglang', { failed: 0, all: 17 }],
  ]);
  expect([...hour.hosts.values()]).toEqual([
    { agent: 'agt_gpu-1', name: 'gpu-1', failed: 10, all: 100 },
  ]);
  expect(failedShare(hour.hosts.get('agt_gpu-1'))).toBe(0.1);
});

test('from one per cent on, a host is named, the worst first', () => {
  const hour = lastHourOf(
    hourOf(
      ['gpu-1', 'vllm', { answered: 99, failed: 1 }],
      ['gpu-2', 'vllm', { answered: 991, failed: 9 }],
      ['gpu-3', 'vllm', { answered: 4, failed: 6 }],
    ),
  );
  expect(failingHosts(hour).map(({ name }) => name)).toEqual(['gpu-3', 'gpu-1']);
  expect(isFailing(hour.workers.get('agt_gpu-2/vllm'))).toBe(false);
  expect(isFailing(undefined)).toBe(false);
});
