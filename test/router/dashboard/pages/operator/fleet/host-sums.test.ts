/** The months of the host reports, and their sums by host. */
import { expect, test } from 'vitest';
import {
  daysOf,
  monthsUntil,
  sumByHost,
  sumOf,
} from '../../../../../../router/dashboard/pages/operator/fleet/host-sums.ts';
import type { HostReportEntry } from '../../../../../../shared/api/agents.ts';

function entry(change: Partial<HostReportEntry>): HostReportEntry {
  return {
    day: '2026-11-21',
    agent: 'agt_1',
    agent_name: 'gpu-1',
    model: 'a/b',
    requests: 1,
    errors: 0,
    prompt_tokens: 10,
    cached_tokens: 4,
    completion_tokens: 5,
    revenue: '0.1',
    ...change,
  };
}

test('each host is one sum of its models, sorted by name, and what reached no host comes last', () => {
  const sums = sumByHost([
    entry({ agent: null, agent_name: null }),
    entry({ agent: 'agt_10', agent_name: 'gpu-10' }),
    entry({ model: 'a/c', requests: 3, errors: 1, revenue: '0.25' }),
    entry({ agent: 'agt_2', agent_name: 'gpu-2' }),
    entry({}),
  ]);
  expect(
    sums.map(({ agent_name, models }) => [agent_name, models.map(({ model }) => model)]),
  ).toEqual([
    ['gpu-1', ['a/b', 'a/c']],
    ['gpu-2', ['a/b']],
    ['gpu-10', ['a/b']],
    [null, ['a/b']],
  ]);
  const { requests, errors, prompt_tokens, revenue } = sums[0] as (typeof sums)[number];
  expect({ requests, errors, prompt_tokens, revenue }).toEqual({
    requests: 4,
    errors: 1,
    prompt_tokens: 20,
    revenue: '0.35',
  });
});

test('hosts of one name stay apart', () => {
  const twins = [entry({}), entry({ agent: 'agt_2' })];
  expect(sumByHost(twins)).toHaveLength(2);
  expect(sumOf(twins).requests).toBe(2);
});

test('months go back over the turn of a year, each with its own last day', () => {
  const months = monthsUntil(Date.parse('2028-03-31T23:59:59Z'), 4);
  expect(months).toEqual(['2028-03', '2028-02', '2028-01', '2027-12']);
  expect(daysOf('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  expect(daysOf('2027-12')).toEqual({ from: '2027-12-01', to: '2027-12-31' });
});
