/** How the routers of the list are searched, filtered and sorted. */
import { expect, test } from 'vitest';
import {
  lastMinuteOf,
  listedRouters,
} from '../../../../../../router/dashboard/pages/operator/routers/router-list.ts';
import type { Router } from '../../../../../../shared/api/routers.ts';

function router(host: string, rest: Partial<Router> = {}): Router {
  return {
    id: `rtr_${host}`,
    url: `wss://${host}.example/agent`,
    regions: ['us'],
    started: '2026-01-01T00:00:00.000Z',
    version: '1.2.0',
    beating: true,
    state: 'healthy',
    host,
    pid: 17,
    ...rest,
  };
}

const ROUTERS = [
  router('gateway-10', {
    started: '2026-01-03T00:00:00.000Z',
    last_minute: { requests: 100, errors: 1, tokens: 600 },
    memory_bytes: 5,
  }),
  router('gateway-9', {
    started: '2026-01-02T00:00:00.000Z',
    last_minute: { requests: 10, errors: 5, tokens: 6_000 },
    regions: ['us', 'eu'],
    memory_bytes: 9,
  }),
  router('gateway-2', { state: 'silent', version: '1.1.0', last_minute: null }),
];

const listed = (asked: Parameters<typeof listedRouters>[1]) =>
  listedRouters(ROUTERS, asked).map(({ host }) => host);

test('the router that started last is the first, and routers are sorted as asked', () => {
  expect(listed({})).toEqual(['gateway-10', 'gateway-9', 'gateway-2']);
  expect(listed({ sort: 'name', order: 'asc' })).toEqual(['gateway-2', 'gateway-9', 'gateway-10']);
  expect(listed({ sort: 'errors', order: 'desc' })).toEqual([
    'gateway-9',
    'gateway-10',
    'gateway-2',
  ]);
});

test('a router without the figure is the last in either order', () => {
  for (const sort of ['requests', 'errors', 'tokens', 'store', 'memory'] as const) {
    for (const order of ['asc', 'desc'] as const) {
      expect(listed({ sort, order }).at(-1), `${sort} ${order}`).toBe('gateway-2');
    }
  }
});

test('routers are found by the words of their name, id, version and URL', () => {
  expect(listed({ search: 'PROCESS gateway-9' })).toEqual(['gateway-9']);
  expect(listed({ search: 'wss://gateway-2' })).toEqual(['gateway-2']);
  expect(listed({ search: '1.2.0 rtr_gateway-10' })).toEqual(['gateway-10']);
  expect(listed({ search: '3.0.0' })).toEqual([]);
});

test('routers are narrowed to a state and a region', () => {
  expect(listed({ state: 'silent' })).toEqual(['gateway-2']);
  expect(listed({ region: 'eu' })).toEqual(['gateway-9']);
});

test('the last minute of all routers is the sum of those that report', () => {
  const silent = router('gateway-3', {
    state: 'silent',
    reported: '2026-01-04T00:00:00.000Z',
    last_minute: { requests: 1_000, errors: 1_000, tokens: 1_000 },
  });
  const earlier = router('gateway-4', { last_minute: { requests: 1, errors: 0 } });
  expect(lastMinuteOf([...ROUTERS, silent, earlier])).toEqual({
    requests: 111,
    errors: 6,
    tokens: 6_600,
  });
  expect(lastMinuteOf([])).toEqual({ requests: 0, errors: 0, tokens: 0 });
});
