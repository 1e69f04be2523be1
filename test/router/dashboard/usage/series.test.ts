/** From a usage summary to the series of a chart. */
import { expect, test } from 'vitest';
import { coloursOf, keepColours } from '../../../../router/dashboard/pages/usage/colours.ts';
import { MEASURED } from '../../../../router/dashboard/pages/usage/measures.ts';
import { drawnOf, groupsOf } from '../../../../router/dashboard/pages/usage/series.ts';
import { stored } from '../../../../router/dashboard/storage.ts';
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
    tokens_per_second: null,
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
    MEASURED.cost.of,
    0,
  );
  expect(drawn).toMatchObject({
    starts: ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z', '2026-11-03T00:00:00.000Z'],
    series: [
      { name: 'llama', group: 'llama', other: false, values: [0.25, 0, 0.125] },
      { name: 'Other', group: null, other: true, values: [0, 1, 0] },
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
    (measure) => drawnOf(one, MEASURED[measure].of, 0).series[0]?.values,
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
    MEASURED.requests.of,
    0,
  );
  expect(drawn.series).toMatchObject([
    { name: 'No member', group: null, other: false, values: [1] },
    { name: 'Ada', group: 'member_1', other: false, values: [0] },
    { name: 'Other', group: null, other: true, values: [2] },
  ]);
});

/** The colours of a chart, which are kept for the next one. */
function keptColours(by: string, groups: readonly string[]): number[] {
  const colours = coloursOf(by, groups);
  keepColours(by, groups);
  return colours;
}

test('a group keeps its colour when a filter leaves the others out', () => {
  // Colours are remembered by what the groups are of, also from one test file to the next.
  const coloured = (...names: string[]) => keptColours('keys of this test', names);
  const [first, , third] = coloured('first', 'second', 'third');
  expect(coloured('third')).toEqual([third]);
  // One that comes alone later gets a colour that no other has.
  const alone = coloured('fourth');
  expect(alone).toEqual([3]);
  expect(coloured('fourth', 'third', 'first')).toEqual([...alone, third, first]);
});

test('a group has its colour again in a chart where another of the same colour took its place', () => {
  const names = Array.from({ length: 8 }, (_, at) => `key ${at}`);
  const coloured = (...shown: string[]) => keptColours('more keys than colours', shown);
  const first = coloured(...names.slice(0, 7));
  const [eighth] = coloured('key 7');
  const alike = names[first.indexOf(eighth ?? -1)] ?? '';
  const [kept, other] = coloured('key 7', alike);
  expect(kept).toBe(eighth);
  expect(other).not.toBe(eighth);
  expect(coloured(alike)).toEqual([eighth]);
});

test('a group that charts still show keeps its colour, however many are newer', () => {
  const by = 'many keys';
  keptColours(by, ['daily', 'old']);
  for (const name of Array.from({ length: 250 }, (_, at) => `key ${at}`)) {
    keptColours(by, ['daily', name]);
  }
  const kept = JSON.parse(stored(`colours-${by}`) ?? '[]') as [string, number][];
  expect(kept).toHaveLength(200);
  expect(kept).toContainEqual(['daily', 0]);
  expect(kept.map(([name]) => name)).not.toContain('old');
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

test('a figure that cannot be added has a gap where there was nothing to measure', () => {
  const one = summary({
    groups: [group('llama')],
    data: [
      {
        start: '2026-11-02T00:00:00.000Z',
        group: 'llama',
        other: false,
        ...sums(3),
        ttft_ms: { p50: 120, p90: 300, p99: 900 },
      },
      { start: '2026-11-03T00:00:00.000Z', group: 'llama', other: false, ...sums(0) },
    ],
  });
  const valuesOf = (measure: 'cached' | 'ttft' | 'duration') =>
    drawnOf(one, MEASURED[measure].of, null).series[0]?.values;
  expect(valuesOf('ttft')).toEqual([null, 120, null]);
  expect(valuesOf('duration')).toEqual([null, null, null]);
  // The share is of the prompt, and there is none where nothing was prompted.
  expect(valuesOf('cached')).toEqual([null, 0.4, null]);
});
