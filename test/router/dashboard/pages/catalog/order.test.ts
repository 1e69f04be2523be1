import { expect, test } from 'vitest';
import { inOrder, type PricedModel } from '../../../../../router/dashboard/pages/catalog/order.ts';

const NONE = { requests: null, success: null, ttft_ms: null, speed: null };

function model(id: string, prompt: string, p50: number | null, uptime: number | null) {
  const both = p50 === null ? null : { p50, p95: p50 };
  const day = { ...NONE, ttft_ms: both, speed: both };
  const billed = { prompt, completion: prompt, input_cache_read: '0' };
  const rest = { context_length: Number(prompt) * 1e6, created: 0 };
  return { id, billed, uptime, ...rest, figures: { hour: NONE, day, month: NONE } } as PricedModel;
}

const MODELS = [
  model('a', '0.000003', null, 0.99),
  model('b', '0.000001', 200, null),
  model('c', '0.000002', 100, 1),
];
const ids = (
  ...[order, span = 'day']: [Parameters<typeof inOrder>[1], 'hour' | 'day'] | [undefined?]
) =>
  inOrder(MODELS, order, span)
    .map(({ id }) => id)
    .join('');

test('models are sorted by a price or a figure, and those without the figure come last', () => {
  expect(ids()).toBe('abc');
  expect(ids('prompt', 'day')).toBe('bca');
  expect(ids('context', 'day')).toBe('acb');
  expect(ids('ttft', 'day')).toBe('cba');
  expect(ids('speed', 'day')).toBe('bca');
  expect(ids('uptime', 'day')).toBe('cab');
  expect(ids('ttft', 'hour')).toBe('abc');
});
