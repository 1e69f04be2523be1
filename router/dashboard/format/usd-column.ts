/**
 * How the amounts of one column are shown: all with the same number of decimals, so that their digits
 * are below each other.
 */
import { decimalsOf } from '../../../shared/money.ts';
import { balanceUsd, shownUsd } from './usd.ts';

/** As `Money` takes it, beside the amount. */
export type UsdColumn = Readonly<{ balance: boolean; decimals: number }>;

/**
 * Returns the decimals of the amount that has most of them when it is shown alone. `balance`: the
 * amounts are balances.
 */
export function usdColumn(
  amounts: readonly string[],
  { balance = false }: Readonly<{ balance?: boolean }> = {},
): UsdColumn {
  const shown = balance ? balanceUsd : shownUsd;
  return { balance, decimals: decimalsOf(amounts.map((amount) => shown(amount))) };
}
