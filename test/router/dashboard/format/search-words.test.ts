import { expect, test } from 'vitest';
import { foundByName } from '../../../../router/dashboard/format/search-words.ts';

const names = (search: string, ...all: readonly string[]) =>
  foundByName(
    all.map((name) => ({ name })),
    search,
  ).map(({ name }) => name);

test('a search lists the name that equals it, then names that begin with it, then names that contain it', () => {
  const all = ['my-app', 'app-2', 'App', 'other', 'app 3'];
  expect(names('app', ...all)).toEqual(['App', 'app-2', 'app 3', 'my-app']);
});

test('a name must have every word of a search, in any order', () => {
  expect(names('two  key', 'key two', 'Two keys', 'key one')).toEqual(['Two keys', 'key two']);
});

test('an empty search leaves all names in their order', () => {
  expect(names(' ', 'b', 'a')).toEqual(['b', 'a']);
});
