/** Values that operators enter are read exactly or refused. */
import { expect, test } from 'vitest';
import { ApiError } from '../../../../../../router/dashboard/api/client.ts';
import {
  balanceAfter,
  leftOf,
  perToken,
  wholeOrNull,
} from '../../../../../../router/dashboard/pages/operator/organizations/entered.ts';

function paramOf(run: () => unknown): string | null | undefined {
  try {
    run();
  } catch (error) {
    return error instanceof ApiError ? error.param : undefined;
  }
  return undefined;
}

test('a price of a million tokens is one of a single token, to the last digit', () => {
  expect(perToken('0.2', 'prompt')).toBe('0.0000002');
  expect(perToken(' 1.000001 ', 'prompt')).toBe('0.000001000001');
  expect(perToken('0', 'prompt')).toBe('0');
});

test('a price that no token could have is a fault of its field', () => {
  expect(paramOf(() => perToken('0.0000001', 'completion'))).toBe('completion');
  expect(paramOf(() => perToken('1,5', 'completion'))).toBe('completion');
  expect(paramOf(() => perToken('', 'completion'))).toBe('completion');
});

test('a limit is a whole number, and nothing typed means the default', () => {
  expect(wholeOrNull('  ', 'limits.x')).toBeNull();
  expect(wholeOrNull(' 600 ', 'limits.x')).toBe(600);
  for (const text of ['6e2', '1.5', '-1', 'many']) {
    expect(paramOf(() => wholeOrNull(text, 'limits.x'))).toBe('limits.x');
  }
});

test('the balance after an adjustment is exact, and not known before there is an amount', () => {
  expect(balanceAfter('5', '-2.500000000001')).toBe('2.499999999999');
  expect(balanceAfter('0.1', '0.2')).toBe('0.3');
  expect(balanceAfter('10', '1,000')).toBe('1010');
  for (const text of ['', '-', '0', 'ten', '2,50']) expect(balanceAfter('5', text)).toBeNull();
});

test('what is left of a payment is what was paid, less what went back', () => {
  expect(leftOf({ paid: '20', refunded: '4.99', disputed: '0' })).toBe('15.01');
  expect(leftOf({ paid: '20', refunded: '20', disputed: '20' })).toBe('0');
  expect(leftOf({ paid: null, refunded: '0', disputed: '0' })).toBe('0');
});
