/** The table of usage: how many groups it has, and their order. */
import { expect, test } from 'vitest';
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { mostGroupsFilter } from '../../../../router/dashboard/pages/usage/most-groups.ts';
import { sortedGroups } from '../../../../router/dashboard/pages/usage/groups-order.ts';
import { spanOf } from '../../../../router/dashboard/pages/usage/span.ts';

const AS_OF = Date.parse('2026-11-21T19:22:33.444Z');

test.each([
  [{ range: '1h' }, 'minute', 48],
  [{ range: '24h' }, 'hour', 50],
  // Whole days have fewer buckets than their hours.
  [{ range: '7d', bucket: 'hour' }, 'day', 50],
  [{ range: '90d' }, 'day', 31],
  [{ range: '12mo' }, 'month', 50],
] as const)('%o has %s buckets and %i groups', (search, bucket, groups) => {
  expect(mostGroupsFilter(spanOf(search, AS_OF), AS_OF)).toEqual({ bucket, groups });
});

type Group = UsageSummary['groups'][number];

function named(name: string, figures: Partial<Group>) {
  const group = { group: name, other: false, prompt_tokens: 10, cached_tokens: 0, ...figures };
  return { name, group: group as Group };
}

test('groups are sorted by a figure, and those without it and all others come last', () => {
  const groups = [
    named('dear', { cost: '9', requests: 1, ttft_ms: null }),
    named('busy', { cost: '1', requests: 8, ttft_ms: { p50: 20, p90: 30, p99: 40 } }),
    named('slow', { cost: '2', requests: 3, ttft_ms: { p50: 90, p90: 95, p99: 99 } }),
    named('Other', { cost: '50', requests: 99, other: true }),
  ];
  const names = (...[sort, order]: ['name' | 'cost' | 'requests' | 'ttft', 'asc' | 'desc']) =>
    sortedGroups(groups, { sort, order }).map(({ name }) => name);
  expect(names('cost', 'desc')).toEqual(['dear', 'slow', 'busy', 'Other']);
  expect(names('requests', 'desc')).toEqual(['busy', 'slow', 'dear', 'Other']);
  expect(names('ttft', 'asc')).toEqual(['busy', 'slow', 'dear', 'Other']);
  expect(names('ttft', 'desc')).toEqual(['slow', 'busy', 'dear', 'Other']);
  expect(names('name', 'asc')).toEqual(['busy', 'dear', 'slow', 'Other']);
});
