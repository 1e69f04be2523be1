import fc from 'fast-check';
import { expect, test } from 'vitest';
import { charge, formatUsd, parseUsd, picoUsd, ZERO } from '../../shared/money.ts';

const amount = fc.bigInt({ min: -(10n ** 19n) + 1n, max: 10n ** 19n - 1n });

test('MONEY 1: an amount survives being written and read', () => {
  fc.assert(
    fc.property(amount, (pico) => {
      expect(parseUsd(formatUsd(pico))).toBe(pico);
    }),
  );
});

test.each([
  ['5', 5_000_000_000_000n],
  ['0.00000015', 150_000n],
  ['-2.5', -2_500_000_000_000n],
  ['0.000000000001', 1n],
])('%s is read exactly', (text, pico) => {
  expect(parseUsd(text)).toBe(pico);
});

test.each(['', '.5', '1.', '1e3', '+1', ' 1', '1,5', '0.0000000000001', '12345678', 'NaN', '١'])(
  '%j is no amount',
  (text) => {
    expect(parseUsd(text)).toBeNull();
  },
);

const price = fc.record({
  prompt: fc.bigInt({ min: 0n, max: 10n ** 9n }).map(picoUsd),
  completion: fc.bigInt({ min: 0n, max: 10n ** 9n }).map(picoUsd),
});
const tokens = fc.record({
  prompt: fc.nat(2_000_000),
  completion: fc.nat(2_000_000),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

test('a charge grows with every count, and a cached token never costs more than a fresh one', () => {
  fc.assert(
    fc.property(price, tokens, ({ prompt, completion }, used) => {
      const rates = { prompt, completion, cached: picoUsd(prompt / 4n) };
      const cached = Math.floor(used.prompt * used.share);
      const billed = { prompt: used.prompt, completion: used.completion, cached };
      const cost = charge(rates, billed);
      expect(cost >= ZERO).toBe(true);
      expect(cost <= charge(rates, { ...billed, cached: 0 })).toBe(true);
      expect(cost <= charge(rates, { ...billed, completion: billed.completion + 1 })).toBe(true);
      expect(cost <= charge(rates, { ...billed, prompt: billed.prompt + 1 })).toBe(true);
    }),
  );
});

test('MONEY 1: a charge beyond 2^53 is exact', () => {
  const rates = { prompt: picoUsd(1n), completion: picoUsd(10n ** 10n), cached: ZERO };
  expect(charge(rates, { prompt: 3, cached: 1, completion: 1_048_575 })).toBe(
    10_485_750_000_000_002n,
  );
});
