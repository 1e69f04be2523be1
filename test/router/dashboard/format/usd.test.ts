import { expect, test } from 'vitest';
import {
  balanceUsd,
  exactHeight,
  heightsWith,
  isBalanceRounded,
  shareOf,
  shownUsd,
} from '../../../../router/dashboard/format/usd.ts';

test.each([
  ['0', '25', 0],
  ['24.999999', '25', 0.999],
  ['25', '25', 1],
  ['30', '25', 1.2],
  ['0', '0', 1],
])('of a cap, %s of %s is a share of %s, never rounded up', (part, whole, share) => {
  expect(shareOf(part, whole)).toBe(share);
});

test.each([
  ['0', '$0.00'],
  ['5', '$5.00'],
  ['4.99998', '$4.99'],
  ['19.9999544', '$19.99'],
  ['4.9949', '$4.99'],
  ['24.7', '$24.70'],
  ['1234.567', '$1,234.56'],
  ['1', '$1.00'],
  ['0.99999', '$0.9999'],
  ['0.5', '$0.5000'],
  ['0.5012999', '$0.5012'],
  ['0.00012345', '$0.0001'],
  ['0.00009', '< $0.0001'],
  ['-7.501', '−$7.51'],
  ['-25', '−$25.00'],
  ['-0.99999', '−$1.0000'],
  ['-0.01011', '−$0.0102'],
])(
  'a balance of %s reads %s, rounded down: two decimals from a dollar on, and else four',
  (amount, text) => {
    expect(balanceUsd(amount)).toBe(text);
  },
);

test.each([
  ['0', false],
  ['5', false],
  ['4.99', false],
  ['4.99998', true],
  ['0.5', false],
  ['0.50121', true],
  ['0.00009', true],
  ['-7.501', true],
])('whether a balance of %s has more digits than are shown: %s', (amount, isRounded) => {
  expect(isBalanceRounded(amount)).toBe(isRounded);
});

test('a balance that is shown with all of its decimals is not rounded', () => {
  expect(isBalanceRounded('4.99998', 5)).toBe(false);
  expect(isBalanceRounded('4.99998', 4)).toBe(true);
});

test.each([
  ['0', '$0.00'],
  ['12.345678', '$12.35'],
  ['1.005', '$1.01'],
  ['0.31', '$0.31'],
  ['0.075', '$0.0750'],
  ['0.0126', '$0.0126'],
  ['0.0062', '$0.0062'],
  ['0.01', '$0.01'],
  ['0.00999999', '$0.01'],
  ['0.99999', '$1.00'],
  ['0.00012345', '$0.00012'],
  ['0.00000008', '$0.00000008'],
  ['-0.0188', '−$0.0188'],
])('an amount of %s reads %s: two decimals, four, or two significant digits', (amount, text) => {
  expect(shownUsd(amount)).toBe(text);
});

test.each([
  [0, '$0.00'],
  [0.015, '$0.015'],
  [0.000002, '$0.000002'],
  [1_500, '$1,500.00'],
])('a grid line at %s reads %s', (height, text) => {
  expect(exactHeight(height)).toBe(text);
});

test('all grid lines but that at zero have as many decimals as their distance', () => {
  const labels = [0, 0.005, 0.01, 0.025].map((height) => exactHeight(height, 0.005));
  expect(labels).toEqual(['$0.00', '$0.005', '$0.010', '$0.025']);
  expect([0, 20, 1000].map((height) => exactHeight(height, 20))).toEqual([
    '$0.00',
    '$20.00',
    '$1,000.00',
  ]);
});

test('heights have as many decimals as the amounts beside them, and more if they need more', () => {
  expect([0.0329659, 0.5, 0.00000012].map(heightsWith(6))).toEqual([
    '$0.032966',
    '$0.500000',
    '$0.00000012',
  ]);
});
