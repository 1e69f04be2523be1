/** When an organization is short of credit. */
import { expect, test } from 'vitest';
import { balanceOf, owes } from '../../../../router/dashboard/shell/balance.ts';

test.each([
  ['0', '0', null, 'empty'],
  ['-4', '6', null, 'fine'],
  ['-10', '0', null, 'empty'],
  ['0.00009', '0.00009', null, 'low'],
  ['0.99', '0.99', null, 'low'],
  ['1', '1', null, 'fine'],
  ['9.99', '9.99', '10', 'low'],
  ['10', '10', '10', 'fine'],
  ['0.5', '0.5', '0.1', 'fine'],
] as const)(
  'a balance of %s with %s available and a threshold of %s is %s',
  (balance, available, threshold, state) => {
    const recharge = { state: 'off' } as const;
    const known = { threshold, forecast: undefined, isTooLittle: false };
    expect(balanceOf({ balance, available, recharge }, known)).toBe(state);
  },
);

test.each([
  [{ days: 3, rate_days: 7 }, 'off', 'low'],
  [{ days: 0, rate_days: null }, 'off', 'low'],
  [{ days: 4, rate_days: 7 }, 'off', 'fine'],
  [{ days: null, rate_days: null }, 'off', 'fine'],
  [{ days: 1, rate_days: 7 }, 'ready', 'fine'],
  [{ days: 1, rate_days: 7 }, 'capped', 'low'],
  [{ days: 1, rate_days: 7 }, 'waiting', 'low'],
] as const)(
  'credit that lasts as long as %j, with auto-recharge %s, is %s with a threshold or without one',
  (forecast, state, expected) => {
    const credit = { balance: '50', available: '50', recharge: { state } };
    expect(balanceOf(credit, { threshold: null, forecast, isTooLittle: false })).toBe(expected);
    expect(balanceOf(credit, { threshold: '10', forecast, isTooLittle: false })).toBe(expected);
  },
);

test('an organization owes more than it may if less than nothing is available', () => {
  expect(owes({ available: '-0.01' })).toBe(true);
  expect(owes({ available: '0' })).toBe(false);
});

test('a low balance that is about to be filled up is none, an empty one is', () => {
  const recharge = { state: 'ready' } as const;
  const known = { threshold: '10', forecast: undefined, isTooLittle: false };
  expect(balanceOf({ balance: '2', available: '2', recharge }, known)).toBe('fine');
  expect(balanceOf({ balance: '0', available: '0', recharge }, known)).toBe('empty');
});

test('credit of which too little is left for a request counts as used up', () => {
  const credit = {
    balance: '0.00000096',
    available: '0.00000096',
    recharge: { state: 'off' },
  } as const;
  const known = { threshold: null, forecast: { days: 0, rate_days: null }, isTooLittle: true };
  expect(balanceOf(credit, known)).toBe('empty');
});
