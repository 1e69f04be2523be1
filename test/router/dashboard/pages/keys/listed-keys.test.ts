/** How the keys of an organization are searched and sorted. */
import { expect, test } from 'vitest';
import { listedKeys } from '../../../../../router/dashboard/pages/keys/listed-keys.ts';

const key = (name: string, day: number, month: string, last_used: string | null) => ({
  name,
  label: `sk-penstock-inf-${name.length}`,
  created: `2026-11-0${day}T00:00:00Z`,
  last_used,
  spend: { today: '0', month, total: month },
});

const KEYS = [
  key('web 10', 1, '0.5', '2026-11-20T10:00:00Z'),
  key('Web 9', 3, '12', null),
  key('batch', 2, '2', '2026-11-21T10:00:00Z'),
];

const names = (search: string, sort: Parameters<typeof listedKeys>[2]) =>
  listedKeys(KEYS, search, sort).map(({ name }) => name);

test.each([
  ['name', 'asc', ['batch', 'Web 9', 'web 10']],
  ['created', 'desc', ['Web 9', 'batch', 'web 10']],
  ['last_used', 'desc', ['batch', 'web 10', 'Web 9']],
  ['last_used', 'asc', ['Web 9', 'web 10', 'batch']],
  ['spend', 'desc', ['Web 9', 'batch', 'web 10']],
] as const)('keys are sorted by %s, %s', (sort, order, sorted) => {
  expect(names('', { sort, order })).toEqual(sorted);
});

test('keys are found by the words of their names and by the beginning of their values', () => {
  const newest = { sort: 'created', order: 'desc' } as const;
  expect(names('WEB', newest)).toEqual(['Web 9', 'web 10']);
  expect(names(' 10 web ', newest)).toEqual(['web 10']);
  expect(names('penstock-inf-6', newest)).toEqual(['web 10']);
  expect(names('nothing', newest)).toEqual([]);
});
