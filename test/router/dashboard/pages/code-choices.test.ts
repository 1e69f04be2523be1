/** The codes that the filter of the logs offers. */
import { expect, test } from 'vitest';
import { codeChoices } from '../../../../router/dashboard/pages/logs/code-choices.ts';
import type { LogRow } from '../../../../router/dashboard/pages/logs/merge.ts';
import { EXPLAINED_CODES } from '../../../../router/dashboard/pages/usage/explanations.ts';

const admitted = (error: string | null) =>
  ({ kind: 'admitted', at: 0, entry: { error } }) as unknown as LogRow;

const group = (code: string | null, count: number) => ({ group: code, name: null, count });

test('codes that occurred come first, with how often they were refused, and each code once', () => {
  const rows = [admitted(null), admitted('engine_failed'), admitted('rate_limited')];
  const choices = codeChoices([group('rate_limited', 1_067), group('overloaded', 2)], rows);
  expect(choices.slice(0, 3)).toEqual([
    { value: 'rate_limited', name: 'rate_limited', note: '1,067 refused' },
    { value: 'overloaded', name: 'overloaded', note: '2 refused' },
    { value: 'engine_failed', name: 'engine_failed', note: 'Failed in this time' },
  ]);
  expect(choices.map(({ value }) => value).toSorted()).toEqual(EXPLAINED_CODES.toSorted());
  expect(choices.slice(3).every(({ note }) => note === undefined)).toBe(true);
});

test('without requests that failed, the codes are in their usual order', () => {
  expect(codeChoices([], [admitted(null)]).map(({ value }) => value)).toEqual(EXPLAINED_CODES);
});

test('a code that is newer than the dashboard can be filtered by once it occurred', () => {
  expect(codeChoices([group('newer', 1)], [])[0]).toMatchObject({ value: 'newer' });
});
