import { expect, test } from 'vitest';
import { coversNone, mayBeTooLittle } from '../../../../router/dashboard/shell/too-little.ts';

const billed = (prompt: string, completion: string) => ({
  billed: { prompt, completion, input_cache_read: '0' },
});
const DEAR = billed('0.000001', '0.000004');
const CHEAP = billed('0.00000002', '0.00000006');

test.each([
  ['0', '0', false],
  ['-1', '0', false],
  ['0.00000096', '0', true],
  ['0.0099', '0', true],
  ['0.01', '0', false],
  // Running requests hold the others.
  ['0.005', '0.001', true],
  ['0.005', '19.995', false],
] as const)(
  'of %s beside %s that is held, it is %s that it may be too little',
  (available, held, is) => {
    expect(mayBeTooLittle(available, held)).toBe(is);
  },
);

test('credit covers no request if it does not cover the smallest one to the cheapest model', () => {
  // 64 tokens of prompt and one of answer, as the router estimates the smallest request.
  expect(coversNone('0.00000133', [DEAR, CHEAP])).toBe(true);
  expect(coversNone('0.00000134', [DEAR, CHEAP])).toBe(false);
  expect(coversNone('0.00000134', [DEAR])).toBe(true);
});

test('as long as no prices are known, credit may cover a request', () => {
  expect(coversNone('0.00000096', [])).toBe(false);
});
