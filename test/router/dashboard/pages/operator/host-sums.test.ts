/** The sums of a host's account over a month. */
import { expect, test } from 'vitest';
import { sumUsd } from '../../../../../router/dashboard/format/usd.ts';
import {
  daysOf,
  monthsUntil,
  sumHosts,
} from '../../../../../router/dashboard/pages/operator/host-sums.ts';
import type { HostReportEntry } from '../../../../../shared/api/agents.ts';

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

test('days add up by host and model, to the pico-dollar; what reached no host comes last', () => {
  const sums = sumHosts([
    entry({ agent: null, agent_name: null, revenue: '0', errors: 1 }),
    entry({ revenue: '0.100000000001' }),
    entry({ day: '2026-11-22', revenue: '0.200000000002', requests: 3 }),
    entry({ model: 'a/c' }),
  ]);
  expect(
    sums.map(({ name, model, requests, revenue }) => [name, model, requests, revenue]),
  ).toEqual([
    ['gpu-1', 'a/b', 4, '0.300000000003'],
    ['gpu-1', 'a/c', 1, '0.1'],
    [null, 'a/b', 1, '0'],
  ]);
  expect(sumUsd(sums.map(({ revenue }) => revenue))).toBe('0.400000000003');
});

test('months go back over the turn of a year, each with its own last day', () => {
  const months = monthsUntil(Date.parse('2028-03-31T23:59:59Z'), 4);
  expect(months).toEqual(['2028-03', '2028-02', '2028-01', '2027-12']);
  expect(daysOf('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
  expect(daysOf('2027-12')).toEqual({ from: '2027-12-01', to: '2027-12-31' });
});
