/** How a choice on the page changes the URL. */
import { expect, test } from 'vitest';
import { pathOf } from '../../../../router/dashboard/api/client.ts';
import {
  changed,
  narrowingOf,
  NO_FILTERS,
} from '../../../../router/dashboard/pages/usage/address.ts';
import { filterOf, valuesOf } from '../../../../router/dashboard/search-values.ts';
import { logsSearch, usageSearch } from '../../../../router/dashboard/search.ts';

test('a choice is added, and what is undefined is taken out', () => {
  const search = { model: 'llama', group: 'key' } as const;
  expect(changed(search, { source: 'api' })).toEqual({ ...search, source: 'api' });
  expect(changed(search, { model: undefined })).toEqual({ group: 'key' });
});

test('another time takes the one before with it, and its bucket, and nothing else', () => {
  const days = { from: '2026-11-01', to: '2026-11-03', bucket: 'hour', model: 'llama' } as const;
  expect(changed(days, { range: '7d' })).toEqual({ range: '7d', model: 'llama' });
  expect(
    changed({ range: '7d', model: 'llama' }, { from: '2026-11-01', to: '2026-11-03' }),
  ).toEqual({ from: '2026-11-01', to: '2026-11-03', model: 'llama' });
});

test('the filters are what narrows, and can all be taken out at once', () => {
  const search = { range: '7d', measure: 'tokens', key: 'key_a,key_b', status: '5xx' } as const;
  expect(narrowingOf(search)).toEqual({ key: ['key_a', 'key_b'], status: ['5xx'] });
  expect(changed(search, NO_FILTERS)).toEqual({ range: '7d', measure: 'tokens' });
});

test('an address has one value of a filter or several, and what is not valid is left out', () => {
  expect(usageSearch({ model: 'lab/one', status: '5xx' })).toEqual({
    model: 'lab/one',
    status: '5xx',
  });
  expect(usageSearch({ model: 'lab/a,,lab/b,lab/a', status: '2xx,3xx', source: 'none' })).toEqual({
    model: 'lab/a,lab/b',
    status: '2xx',
  });
  const many = Array.from({ length: 30 }, (_, n) => `key_${n}`).join(',');
  expect(usageSearch({ key: many }).key?.split(',')).toHaveLength(20);
  expect(logsSearch({ status: 'refused,5xx', code: 'no_worker' })).toEqual({
    status: 'refused,5xx',
    code: 'no_worker',
  });
});

test('a model whose id has a comma is one value, after a reload too', () => {
  const models = ['lab/a,b', 'lab/50%2C', 'lab/c'];
  const model = filterOf(models);
  expect(valuesOf(model)).toEqual(models);
  expect(usageSearch({ model })).toEqual({ model });
});

test('each value of a filter is a parameter of its own in a call to the API', () => {
  expect(pathOf('/usage', { model: ['a', 'b,c'], start: '', key: undefined, limit: 5 })).toBe(
    '/api/v1/usage?model=a&model=b%2Cc&limit=5',
  );
});
