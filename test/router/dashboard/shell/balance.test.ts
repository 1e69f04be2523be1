/** When an organization is short of credit. */
import { expect, test } from 'vitest';
import { balanceOf } from '../../../../router/dashboard/shell/balance.ts';

test.each([
  ['0', '0', null, 'empty'],
  ['-4', '6', null, 'fine'],
  ['-10', '0', null, 'empty'],
  ['0.99', '0.99', null, 'low'],
  ['1', '1', null, 'fine'],
  ['9.99', '9.99', '10', 'low'],
  ['10', '10', '10', 'fine'],
  ['0.5', '0.5', '0.1', 'fine'],
] as const)(
  'a balance of %s with %s available and a threshold of %s is %s',
  (balance, available, threshold, state) => {
    const recharge = { state: 'off' } as const;
    expect(balanceOf({ balance, available, recharge }, threshold)).toBe(state);
  },
);

test('a low balance that is about to be filled up is none, an empty one is', () => {
  const recharge = { state: 'ready' } as const;
  expect(balanceOf({ balance: '2', available: '2', recharge }, '10')).toBe('fine');
  expect(balanceOf({ balance: '0', available: '0', recharge }, '10')).toBe('empty');
});
