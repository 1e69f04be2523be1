import { expect, test } from 'vitest';
import { costOf, countIn } from '../../../../../router/dashboard/pages/catalog/cost.ts';

const PRICE = { prompt: '0.000001', completion: '0.000002', input_cache_read: '0.0000001' };

test('the cost of a task is exact, and cached tokens cost their own price', () => {
  expect(costOf(PRICE, { prompt: 1_000, cached: 400, completion: 50, requests: 3 })).toEqual({
    one: '0.00074',
    all: '0.00222',
    isTooMuchCached: false,
  });
});

test('no more than the prompt is from the cache', () => {
  const task = { prompt: 10, cached: 11, completion: 0, requests: 1 };
  expect(costOf(PRICE, task)).toEqual({ one: '0.000001', all: '0.000001', isTooMuchCached: true });
});

test('a count is a whole number, as people write it', () => {
  const texts = ['0', '1,000', ' 12 000 ', '1000000000', '1000000001', '-1', '1.5', '', 'many'];
  expect(texts.map(countIn)).toEqual([0, 1_000, 12_000, 1e9, null, null, null, null, null]);
});
