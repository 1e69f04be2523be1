/** What the palette finds. */
import { expect, test } from 'vitest';
import { requestIdIn } from '../../../../router/dashboard/format/request-id.ts';
import { matching } from '../../../../router/dashboard/shell/palette/match.ts';

const ENTRIES = [
  { name: 'Usage' },
  { name: 'API keys' },
  { name: 'Nightly batch', words: ['key_01', 'sk-penstock-0aB1'] },
  { name: 'Bob', words: ['bob@acme.test'] },
  { name: 'Batch' },
];

function found(search: string): string[] {
  return matching(ENTRIES, search).map(({ name }) => name);
}

test('an entry is found by words of its name, its id or its address, in any case', () => {
  expect(found('KEY')).toEqual(['API keys', 'Nightly batch']);
  expect(found('batch nightly')).toEqual(['Nightly batch']);
  expect(found('acme.test')).toEqual(['Bob']);
  expect(found('  usage ')).toEqual(['Usage']);
  expect(found('nobody')).toEqual([]);
});

test('names that begin with the search come first, and no group is longer than six', () => {
  expect(found('batch')).toEqual(['Batch', 'Nightly batch']);
  const many = Array.from({ length: 1_000 }, (_, at) => ({ name: `key ${at}` }));
  expect(matching(many, '')).toHaveLength(6);
});

test('the id of a request is taken from what was pasted', () => {
  const id = `req_${'0'.repeat(25)}z`;
  expect(requestIdIn(id)).toBe(id);
  expect(requestIdIn(`  x-request-id: ${id},`)).toBe(id);
  expect(requestIdIn('req_short')).toBeNull();
  expect(requestIdIn(`${id}0`)).toBeNull();
});
