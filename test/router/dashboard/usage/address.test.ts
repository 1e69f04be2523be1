/** How a choice on the page changes the URL. */
import { expect, test } from 'vitest';
import {
  changed,
  narrowingOf,
  NO_FILTERS,
} from '../../../../router/dashboard/pages/usage/address.ts';

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
  const search = { range: '7d', measure: 'tokens', key: 'key_a', status: '5xx' } as const;
  expect(narrowingOf(search)).toEqual({ key: 'key_a', status: '5xx' });
  expect(changed(search, NO_FILTERS)).toEqual({ range: '7d', measure: 'tokens' });
});
