/** The months of the host reports, and the order of their rows. */
import { expect, test } from 'vitest';
import {
  daysOf,
  monthsUntil,
  sortHosts,
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

test('hosts are sorted by their names and models; what reached no host comes last', () => {
  const sorted = sortHosts([
    entry({ agent: null, agent_name: null }),
    entry({ agent: 'agt_2', agent_name: 'gpu-2' }),
    entry({ model: 'a/c' }),
    entry({}),
  ]);
  expect(sorted.map(({ agent_name, model }) => [agent_name, model])).toEqual([
    ['gpu-1', 'a/b'],
    ['gpu-1', 'a/c'],
    ['gpu-2', 'a/b'],
    [null, 'a/b'],
  ]);
});

test('months go back over the turn of a year, each with its own last day', () => {
  const months = monthsUntil(Date.parse('2028-03-31T23:59:59Z'), 4);
  expect(months).toEqual(['2028-03', '2028-02', '2028-01', '2027-12']);
  expect(daysOf('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  expect(daysOf('2027-12')).toEqual({ from: '2027-12-01', to: '2027-12-31' });
});
