/** How many rows a list has, in words. */
import { expect, test } from 'vitest';
import { listedInWords } from '../../../../../router/dashboard/parts/list/listed-in-words.ts';

const inWords = (rows: number | null, hasNextPage = false) =>
  listedInWords(
    { data: rows === null ? undefined : Array.from({ length: rows }), hasNextPage },
    'person',
    'people',
  );

test('the rows are counted, and those of more pages are said to be the first', () => {
  expect(inWords(1)).toBe('1 person');
  expect(inWords(1_200)).toBe('1,200 people');
  expect(inWords(50, true)).toBe('The first 50 people');
});

test('a list that is not read yet, or that has no rows, has no count', () => {
  expect(inWords(null)).toBeUndefined();
  expect(inWords(0)).toBeUndefined();
});
