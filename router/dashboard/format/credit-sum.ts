/** The sum behind what an organization may spend, so that its figures are shown as one. */
import type { z } from 'zod';
import type { CreditState } from '../../../shared/api/credit.ts';
import type { Organization } from '../../../shared/api/organizations.ts';
import { formatUsd } from '../../../shared/money.ts';
import { picoOf } from './usd.ts';
import { sumDecimals } from './usd-sum.ts';

type Credit = Pick<z.infer<typeof CreditState>, 'available' | 'balance' | 'held'>;

/** The decimals of the balance, of what is held, of the credit limit and of what is available. */
export function creditDecimals(
  { available, balance, held }: Credit,
  billing: Organization['billing'],
): number {
  return sumDecimals([
    [
      { amount: available, balance: true },
      { amount: balance, balance: true },
      { amount: formatUsd(-picoOf(held)) },
      ...(billing.type === 'invoiced' ? [{ amount: billing.credit_limit }] : []),
    ],
  ]);
}
