import { expect, test } from 'vitest';
import {
  directionOf,
  inOrder,
  type PricedModel,
} from '../../../../../router/dashboard/pages/catalog/order.ts';

const NONE = { requests: null, success: null, ttft_ms: null, speed: null };

const NAMES: Readonly<Record<string, string>> = { a: 'Yi', b: 'DeepSeek', c: 'Kimi' };

function model(id: string, prompt: string, p50: number | null, uptime: number | null) {
  const both = p50 === null ? null : { p50, p95: p50 };
  const day = { ...NONE, ttft_ms: both, speed: both };
  const billed = { prompt, completion: prompt, input_cache_read: '0' };
  const rest = { name: NAMES[id], context_length: Number(prompt) * 1e6, created: 0 };
  const figures = { hour: NONE, day, month: NONE };
  return { id, billed, uptime, ...rest, figures } as unknown as PricedModel;
}

const MODELS = [
  model('a', '0.000003', null, 0.99),
  model('b', '0.000001', 200, null),
  model('c', '0.000002', 100, 1),
];
type Sorting = Parameters<typeof inOrder>[1];
const ids = (order?: Sorting['order'], part: Partial<Sorting> = {}) =>
  inOrder(MODELS, { order, isReversed: false, span: 'day', ...part })
    .map(({ id }) => id)
    .join('');

test('models are sorted by a price or a figure, and those without the figure come last', () => {
  expect(ids()).toBe('abc');
  expect(ids('name')).toBe('bca');
  expect(ids('prompt')).toBe('bca');
  expect(ids('cached')).toBe('abc');
  expect(ids('context')).toBe('acb');
  expect(ids('ttft')).toBe('cba');
  expect(ids('speed')).toBe('bca');
  expect(ids('uptime')).toBe('cab');
  expect(ids('ttft', { span: 'hour' })).toBe('abc');
});

test('the order is reversed, and models without the figure come last even then', () => {
  expect(ids('prompt', { isReversed: true })).toBe('acb');
  expect(ids('name', { isReversed: true })).toBe('acb');
  expect(ids('ttft', { isReversed: true })).toBe('bca');
  expect(directionOf('ttft', false)).toBe('asc');
  expect(directionOf('ttft', true)).toBe('desc');
  expect(directionOf('context', false)).toBe('desc');
});
