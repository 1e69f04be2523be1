import { expect, test } from 'vitest';
import { enteredUsd, enteredUsdOrNull } from '../../../../router/dashboard/format/entered-usd.ts';

test.each([
  ['1,000', '1000'],
  ['$1,234,567.50', '1234567.50'],
  [' $20 ', '20'],
  [' $ 20.50 ', '20.50'],
  ['0.200', '0.200'],
  ['−$2.50', '-2.50'],
  ['-1,000', '-1000'],
  ['+5', '5'],
])('an amount that was entered as %s is sent as %s', (text, sent) => {
  expect(enteredUsd(text)).toBe(sent);
});

test('a text whose comma may be a decimal point is left for the API to refuse', () => {
  const texts = [
    '2,50',
    '1,00',
    '0,200',
    '0,500',
    '00,200',
    '1000,5',
    '10,00,0',
    '$',
    'twenty',
    '',
  ];
  for (const text of texts) expect(enteredUsd(text)).toBe(text);
});

test('an empty field has no amount', () => {
  expect(enteredUsdOrNull('  ')).toBeNull();
  expect(enteredUsdOrNull(' $1,000 ')).toBe('1000');
});
