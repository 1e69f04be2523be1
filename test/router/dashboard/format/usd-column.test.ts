import { expect, test } from 'vitest';
import { balanceUsd, shownUsd } from '../../../../router/dashboard/format/usd.ts';
import { usdColumn } from '../../../../router/dashboard/format/usd-column.ts';

test('a column of amounts has as many decimals as the amount that needs most of them', () => {
  const amounts = ['49.86', '-0.0126', '1234.567891'];
  const { decimals } = usdColumn(amounts);
  const shown = amounts.map((amount) => shownUsd(amount, decimals));
  expect(shown).toEqual(['$49.8600', '−$0.0126', '$1,234.5679']);
});

test('a column of dollars has cents', () => {
  const { decimals } = usdColumn(['5', '12.345678', '0']);
  expect(['5', '12.345678', '0'].map((amount) => shownUsd(amount, decimals))).toEqual([
    '$5.00',
    '$12.35',
    '$0.00',
  ]);
  expect(usdColumn([]).decimals).toBe(2);
});

test('an amount below a cent does not look like zero in its column', () => {
  const { decimals } = usdColumn(['20', '0.000012']);
  expect(shownUsd('0.000012', decimals)).toBe('$0.000012');
  expect(shownUsd('20', decimals)).toBe('$20.000000');
});

test('a column of balances rounds none of them to the advantage of its reader', () => {
  const balances = ['20.005', '0.99999', '-0.00001', '0.00001', '0'];
  const { decimals } = usdColumn(balances, { balance: true });
  expect(balances.map((amount) => balanceUsd(amount, decimals))).toEqual([
    '$20.0050',
    '$0.9999',
    '−$0.0001',
    '< $0.0001',
    '$0.0000',
  ]);
});
