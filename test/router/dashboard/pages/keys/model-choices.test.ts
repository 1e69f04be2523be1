import { expect, test } from 'vitest';
import {
  choicesOf,
  foundChoices,
} from '../../../../../router/dashboard/pages/keys/model-choices.ts';

const CATALOG = [
  { id: 'lab/small', name: 'Small' },
  { id: 'other/large', name: 'Large Chat' },
];
const GONE = { id: 'lab/gone', name: null };

test('the models of the key come first, also one that the catalog does not have', () => {
  const [small, large] = CATALOG;
  expect(choicesOf(CATALOG, ['lab/gone', 'other/large'])).toEqual([GONE, large, small]);
  expect(choicesOf(CATALOG, [])).toEqual(CATALOG);
});

test.each([
  ['', ['lab/gone', 'lab/small', 'other/large']],
  ['LAB/', ['lab/gone', 'lab/small']],
  [' chat ', ['other/large']],
  ['chat other', ['other/large']],
  ['small other', []],
  ['nothing', []],
])('a model is found by its name or its id: "%s"', (text, ids) => {
  const choices = choicesOf(CATALOG, ['lab/gone']);
  expect(foundChoices(choices, text).map(({ id }) => id)).toEqual(ids);
});
