/** How the page of the fleet finds one of many hosts. */
import { expect, test } from 'vitest';
import {
  hostsAtWork,
  servedNow,
} from '../../../../../../router/dashboard/pages/operator/fleet/hosts-at-work.ts';
import {
  hostsInWords,
  listedHosts,
  USUAL_HOSTS,
} from '../../../../../../router/dashboard/pages/operator/fleet/listed-hosts.ts';
import type { WorkerEntry } from '../../../../../../shared/api/workers.ts';
import type { Agent } from '../../../../../../shared/api/agents.ts';

const SINCE = '2026-11-21T08:00:00.000Z';

function host(name: string, change: Partial<Agent> = {}): Agent {
  return {
    id: `agt_of_${name}`,
    name,
    region: 'global',
    state: 'enrolled',
    connected: true,
    created: SINCE,
    last_seen: SINCE,
    absence: null,
    ...change,
  };
}

const HOSTS = [
  host('gpu-10'),
  host('gpu-1', { region: 'eu' }),
  host('gpu-2', { connected: false, absence: { reason: 'lost', since: SINCE } }),
  host('gpu-3', { connected: false, absence: { reason: 'stopped', since: SINCE } }),
  host('spare', { connected: false, state: 'enrolling' }),
  host('sold', { connected: false, state: 'revoked' }),
];

const QUIET = { hosts: new Map() };

function namesOf(
  asked: Parameters<typeof listedHosts>[1],
  sorted: Parameters<typeof listedHosts>[2] = USUAL_HOSTS,
  hour: Parameters<typeof listedHosts>[3] = QUIET,
): string[] {
  return listedHosts(HOSTS, asked, sorted, hour).map(({ name }) => name);
}

test('lost hosts come first, then new ones, and revoked ones only if they are asked for', () => {
  expect(namesOf({})).toEqual(['gpu-2', 'spare', 'gpu-1', 'gpu-3', 'gpu-10']);
  expect(namesOf({ link: 'revoked' })).toEqual(['sold']);
});

test('hosts whose attempts fail come after lost and new ones, and are sorted by their share', () => {
  const attempts = (name: string, failed: number) =>
    [`agt_of_${name}`, { agent: `agt_of_${name}`, name, failed, all: 1_000 }] as const;
  const hour = { hosts: new Map([attempts('gpu-10', 120), attempts('gpu-3', 9)]) };
  expect(namesOf({}, USUAL_HOSTS, hour)).toEqual(['gpu-2', 'spare', 'gpu-10', 'gpu-1', 'gpu-3']);
  expect(namesOf({}, { sort: 'failed', order: 'desc' }, hour).slice(0, 2)).toEqual([
    'gpu-10',
    'gpu-3',
  ]);
  expect(namesOf({}, { sort: 'name', order: 'desc' }).slice(0, 2)).toEqual(['spare', 'gpu-10']);
});

test('hosts are found by each word of the search, their link and their region', () => {
  expect(namesOf({ host: 'GPU agt_of_gpu-3' })).toEqual(['gpu-3']);
  expect(namesOf({ link: 'lost' })).toEqual(['gpu-2']);
  expect(namesOf({ link: 'away' })).toEqual(['gpu-3']);
  expect(namesOf({ link: 'joining' })).toEqual(['spare']);
  expect(namesOf({ region: 'eu' })).toEqual(['gpu-1']);
  expect(namesOf({ region: 'eu', link: 'lost' })).toEqual([]);
});

test('the hosts are counted by their link', () => {
  expect(hostsInWords(HOSTS)).toBe(
    '2 connected, 1 lost, 1 not connected, 1 waiting to join, 1 revoked',
  );
});

test('hosts without workers are told apart from those that serve', () => {
  const workers = ['gpu-1', 'gpu-10', 'gpu-10'].map((name) => ({ agent: `agt_of_${name}` }));
  expect(hostsAtWork(HOSTS, workers)).toEqual({
    count: 2,
    others: '3 other hosts have no workers: 1 lost, 1 not connected, 1 waiting to join.',
  });
  expect(hostsAtWork(HOSTS.slice(0, 2), workers).others).toBeNull();
  expect(hostsAtWork(HOSTS.slice(2, 3), [])).toEqual({
    count: 0,
    others: '1 host has no workers: 1 lost.',
  });
});

test('only workers that get requests serve models, and only their hosts are counted', () => {
  const worker = (agent: string, models: string[], more: Partial<WorkerEntry> = {}) =>
    ({ agent, models, phase: 'ready', share: 1, ...more }) as WorkerEntry;
  const workers = [
    worker('a', ['one', 'two']),
    worker('a', ['one'], { share: 0.5 }),
    worker('b', ['one'], { phase: 'draining' }),
    worker('c', ['three'], { share: 0 }),
  ];
  expect(servedNow(workers)).toEqual({ workers: 2, models: 2, hosts: 1 });
  expect(servedNow(workers.slice(2))).toEqual({ workers: 0, models: 0, hosts: 0 });
});
