/** What the comparison of models says, and which values it marks. */
import { expect, test } from 'vitest';
import { comparedRows } from '../../../../../router/dashboard/pages/catalog/comparison-rows.ts';
import type { PricedModel } from '../../../../../router/dashboard/pages/catalog/order.ts';

const NONE = { requests: null, success: null, ttft_ms: null, speed: null };
const SEEN = {
  requests: 20,
  success: 1,
  ttft_ms: { p50: 200, p95: 900 },
  speed: { p50: 60, p5: 40 },
};

function model(prompt: string, day: object = NONE, context = 1_000): PricedModel {
  return {
    id: `lab/${prompt}`,
    billed: { prompt, input_cache_read: '0.0000001', completion: prompt },
    figures: { hour: NONE, day, month: NONE },
    regions: [],
    uptime: null,
    uptime_since: null,
    context_length: context,
    max_output_length: 500,
    input_modalities: ['text'],
    supported_features: ['tools'],
    quantization: 'fp8',
    created: 0,
  } as unknown as PricedModel;
}

/** The names of the rows, each with the texts of its cells; the best ones end with a star. */
function shown(...models: readonly PricedModel[]): Record<string, string[]> {
  return Object.fromEntries(
    comparedRows(models, 'day').map(({ name, cells }) => [
      name,
      cells.map(({ text, isBest }) => `${text ?? '–'}${isBest ? '*' : ''}`),
    ]),
  );
}

test('the lowest price and the longest context are the best', () => {
  expect(shown(model('0.000002'), model('0.000001', NONE, 2_000), model('0.000003'))).toMatchObject(
    {
      Prompt: ['$2.00', '$1.00*', '$3.00'],
      Context: ['1,000', '2,000*', '1,000'],
      // All are equal.
      'Prompt, cached': ['$0.10', '$0.10', '$0.10'],
      Capabilities: ['Tools', 'Tools', 'Tools'],
    },
  );
});

test('values that look equal are equally good', () => {
  const close = { ...SEEN, speed: { p50: 60.01, p5: 40 } };
  const slow = { ...SEEN, ttft_ms: { p50: 300, p95: 950 }, speed: { p50: 20, p5: 10 } };
  const rows = shown(model('0.000001', SEEN), model('0.000001', close), model('0.000001', slow));
  expect(rows['Tokens per second']).toEqual(['~60*', '~60*', '~20']);
  expect(rows['Time to first token, median']).toEqual(['~200 ms*', '~200 ms*', '~300 ms']);
});

test('figures that are one step of the histogram apart are equally good', () => {
  const seen = (ttft: number, speed: number) =>
    model('0.000001', { ...SEEN, ttft_ms: { p50: ttft, p95: 900 }, speed: { p50: speed, p5: 40 } });
  // Neighbours in the histogram, and one that is two steps away.
  const apart = shown(seen(220, 60), seen(243, 66), seen(269, 73));
  expect(apart['Time to first token, median']).toEqual(['~220 ms*', '~243 ms*', '~269 ms']);
  expect(apart['Tokens per second']).toEqual(['~60', '~66*', '~73*']);
  const alike = shown(seen(34, 97), seen(36, 93));
  expect(alike['Time to first token, median']).toEqual(['~34 ms', '~36 ms']);
  expect(alike['Tokens per second']).toEqual(['~97', '~93']);
});

test('a row without any value is left out, and the only value of a row is not the best', () => {
  expect(Object.keys(shown(model('0.000001'), model('0.000002')))).toEqual([
    'Prompt',
    'Prompt, cached',
    'Completion',
    'Context',
    'Max output',
    'Capabilities',
    'Quantization',
    'Released',
  ]);
  const rows = shown(model('0.000001', SEEN), model('0.000002'));
  expect(rows['Tokens per second']).toEqual(['~60', '–']);
});
