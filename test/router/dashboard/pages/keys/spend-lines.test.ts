import { expect, test } from 'vitest';
import { spendLinesOf } from '../../../../../router/dashboard/pages/keys/spend-lines.ts';
import type { UsageSummary } from '../../../../../shared/api/usage.ts';

const SUMS = {
  requests: 1,
  errors: 0,
  cancelled: 0,
  prompt_tokens: 1,
  cached_tokens: 0,
  completion_tokens: 1,
  reasoning_tokens: 0,
  cost: '0',
  cached_savings: '0',
  ttft_ms: null,
  duration_ms: null,
  tokens_per_second: null,
} as const;

const dayOf = (day: number) => `2026-11-0${day}T00:00:00.000Z`;
const OTHERS = { group: null, other: true, ...SUMS, cost: '9' } as const;

function summary(hasOthers: boolean): UsageSummary {
  return {
    start: dayOf(1),
    end: dayOf(4),
    bucket: 'day',
    group_by: 'key',
    totals: SUMS,
    // Both have the same name.
    groups: [
      ...(hasOthers ? [{ ...OTHERS, name: null }] : []),
      { group: 'key_b', name: 'batch', other: false, ...SUMS, cost: '3' },
      { group: 'key_a', name: 'batch', other: false, ...SUMS, cost: '1' },
    ],
    data: [
      { start: dayOf(1), group: 'key_b', other: false, ...SUMS, cost: '2' },
      { start: dayOf(3), group: 'key_b', other: false, ...SUMS, cost: '1' },
      { start: dayOf(2), group: 'key_a', other: false, ...SUMS, cost: '1' },
      ...(hasOthers ? [{ ...OTHERS, start: dayOf(1) }] : []),
    ],
  };
}

test('each key has its own days, and a key without requests has spent nothing', () => {
  const lineOf = spendLinesOf(summary(false));
  expect(lineOf('key_b')).toEqual({ values: [2, 0, 1], total: '3' });
  expect(lineOf('key_a')).toEqual({ values: [0, 1, 0], total: '1' });
  expect(lineOf('key_c')).toEqual({ values: [], total: '0' });
});

test('what a key has spent that may be among the others is not known', () => {
  const lineOf = spendLinesOf(summary(true));
  expect(lineOf('key_b')).toEqual({ values: [2, 0, 1], total: '3' });
  expect(lineOf('key_c')).toBeNull();
});
