/** The figures of a sum, which add up as they are shown. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balanceUsd, picoOf, shownUsd } from '../../../../router/dashboard/format/usd.ts';
import { creditDecimals } from '../../../../router/dashboard/format/credit-sum.ts';
import { sumDecimals, termUsd, type UsdTerm } from '../../../../router/dashboard/format/usd-sum.ts';
import { formatUsd } from '../../../../shared/money.ts';

function shown(term: UsdTerm, decimals: number): string {
  const { balance, decimals: places } = termUsd(term, decimals);
  return (balance ? balanceUsd : shownUsd)(term.amount, places);
}

const INVOICED = {
  type: 'invoiced',
  credit_limit: '500',
  payment_terms_days: 30,
  tax_percent: '0',
} as const;

test('what may be spent is the balance and the credit limit, also as they are shown', () => {
  const credit = { balance: '-100.0012614', held: '0', available: '399.9987386' };
  const decimals = creditDecimals(credit, INVOICED);
  expect(shown({ amount: credit.balance, balance: true }, decimals)).toBe('−$100.01');
  expect(shown({ amount: credit.available, balance: true }, decimals)).toBe('$399.99');
  expect(shown({ amount: '500' }, decimals)).toBe('$500.00');
  expect(shown({ amount: '0' }, decimals)).toBe('$0.00');
});

test('a day whose usage is less than a cent closes at what its figures make', () => {
  const usage = { amount: '-0.0012614' };
  const [opening, closing] = ['-100', '-100.0012614'].map((amount) => ({ amount, balance: true }));
  const decimals = sumDecimals([[closing as UsdTerm, opening as UsdTerm, usage]]);
  expect([opening, usage, closing].map((term) => shown(term as UsdTerm, decimals))).toEqual([
    '−$100.00',
    '−$0.0013',
    '−$100.0013',
  ]);
});

test('figures that add up as they are have no more decimals than alone', () => {
  const [available, balance] = ['24.70', '24.70'].map((amount) => ({ amount, balance: true }));
  expect(sumDecimals([[available as UsdTerm, balance as UsdTerm, { amount: '0' }]])).toBe(2);
  expect(sumDecimals([])).toBe(2);
  // The rows of a part of a list are no sum.
  expect(sumDecimals([[{ amount: '5' }, { amount: '1' }]])).toBe(2);
});

test('whole cents have two decimals beside a figure that needs more', () => {
  expect(termUsd({ amount: '20' }, 7)).toEqual({ balance: false, decimals: 2 });
  expect(termUsd({ amount: '0.005', balance: true }, 7)).toEqual({ balance: true, decimals: 7 });
});

const amounts = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).map(formatUsd);

test('whatever the amounts are, what is shown adds up, and no balance looks larger', () => {
  fc.assert(
    fc.property(amounts, fc.array(amounts, { maxLength: 4 }), (opening, changes) => {
      const total = [opening, ...changes].reduce((sum, amount) => sum + picoOf(amount), 0n);
      const closing = { amount: formatUsd(total), balance: true };
      const parts = [{ amount: opening, balance: true }, ...changes.map((amount) => ({ amount }))];
      const decimals = sumDecimals([[closing, ...parts]]);
      const read = (term: UsdTerm) =>
        picoOf(shown(term, decimals).replace('−', '-').replaceAll(/[$,]/g, ''));
      // Less than the least balance that is shown is no figure.
      fc.pre(![closing, ...parts].some((term) => shown(term, decimals).startsWith('<')));
      expect(parts.reduce((sum, part) => sum + read(part), 0n)).toBe(read(closing));
      expect(read(closing)).toBeLessThanOrEqual(total);
    }),
  );
});
