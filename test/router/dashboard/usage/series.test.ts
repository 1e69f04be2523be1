/** From a usage summary to the series of a chart. */
import { expect, test } from 'vitest';
import { cachedShare, drawnOf, groupsOf } from '../../../../router/dashboard/pages/usage/series.ts';
import type { UsageSummary, UsageSums } from '../../../../shared/api/usage.ts';

function sums(requests: number, cost = '0'): UsageSums {
  return {
    requests,
    errors: 0,
    cancelled: 0,
    prompt_tokens: requests * 10,
    cached_tokens: requests * 4,
    completion_tokens: requests * 5,
    reasoning_tokens: requests,
    cost,
    cached_savings: '0',
    ttft_ms: null,
    duration_ms: null,
  };
}

function group(id: string | null, name: string | null = null, other = false) {
  return { group: id, name, other, ...sums(1, '0.5') };
}

function summary(given: Partial<UsageSummary>): UsageSummary {
  return {
    start: '2026-11-01T00:00:00.000Z',
    end: '2026-11-04T00:00:00.000Z',
    bucket: 'day',
    group_by: 'model',
    totals: sums(0),
    groups: [],
    data: [],
    ...given,
  };
}

test('buckets that the answer leaves out are zeros', () => {
  const drawn = drawnOf(
    summary({
      groups: [group('llama'), group(null, null, true)],
      data: [
        { start: '2026-11-01T00:00:00Z', group: 'llama', other: false, ...sums(2, '0.25') },
        { start: '2026-11-03T00:00:00Z', group: 'llama', other: false, ...sums(1, '0.125') },
        { start: '2026-11-02T00:00:00Z', group: null, other: true, ...sums(7, '1') },
      ],
    }),
    'cost',
  );
  expect(drawn).toEqual({
    starts: ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z'],
    series: [
      { name: 'llama', other: false, values: [0.25, 0, 0.125] },
      { name: 'Other', other: true, values: [0, 1, 0] },
    ],
  });
});

test('each measure has its own heights', () => {
  const one = summary({
    end: '2026-11-02T00:00:00.000Z',
    groups: [group('llama')],
    data: [{ start: '2026-11-01T00:00:00.000Z', group: 'llama', other: false, ...sums(3, '2') }],
  });
  const heights = (['cost', 'requests', 'tokens'] as const).map(
    (measure) => drawnOf(one, measure).series[0]?.values,
  );
  // Cached tokens are part of the prompt, and reasoning tokens of the completion. Neither may count
  // twice.
  expect(heights).toEqual([[2], [3], [45]]);
});

test('those of nobody and the others are told apart, and the others come last', () => {
  const drawn = drawnOf(
    summary({
      end: '2026-11-02T00:00:00.000Z',
      group_by: 'member',
      groups: [group(null, null, true), group(null), group('member_1', 'Ada')],
      data: [
        { start: '2026-11-01T00:00:00.000Z', group: null, other: false, ...sums(1) },
        { start: '2026-11-01T00:00:00.000Z', group: null, other: true, ...sums(2) },
      ],
    }),
    'requests',
  );
  expect(drawn.series).toEqual([
    { name: 'No member', other: false, values: [1] },
    { name: 'Ada', other: false, values: [0] },
    { name: 'Other', other: true, values: [2] },
  ]);
});

test('two keys of one name are told apart by their ids', () => {
  const groups = [group('key_a', 'ci'), group('key_b', 'ci'), group('key_c', 'batch')];
  expect(groupsOf(summary({ group_by: 'key', groups })).map(({ name }) => name)).toEqual([
    'ci (key_a)',
    'ci (key_b)',
    'batch',
  ]);
});

test('a group without a request is not shown', () => {
  const empty = { group: null, name: null, other: true, ...sums(0) };
  expect(groupsOf(summary({ groups: [empty] }))).toEqual([]);
});

test('the share of what is cached is of the prompt, and none where nothing was prompted', () => {
  expect(cachedShare(sums(2))).toBe(0.4);
  expect(cachedShare(sums(0))).toBe(null);
});
