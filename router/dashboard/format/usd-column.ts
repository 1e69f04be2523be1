/**
 * How the amounts of one column are shown: all with the same number of decimals, so that their digits
 * are below each other.
 */
import { DECIMALS_MIN, decimalsOf } from '../../../shared/money.ts';
import { balanceUsd, shownUsd } from './usd.ts';

/** As `Money` takes it, beside the amount. */
export type UsdColumn = Readonly<{ balance: boolean; exact: boolean; decimals: number }>;

type Kind = Readonly<{
  /** The amounts are balances. */
  balance?: boolean;
  /** They are shown with every digit. */
  exact?: boolean;
}>;

/**
 * Returns the decimals that the most exact amount needs: of its digits with `exact`, and otherwise of
 * what is shown of it alone.
 */
export function usdColumn(
  amounts: readonly string[],
  { balance = false, exact = false }: Kind = {},
): UsdColumn {
  const shown = balance ? balanceUsd : shownUsd;
  const decimals = exact
    ? decimalsOf(amounts)
    : Math.max(DECIMALS_MIN, ...amounts.map((amount) => decimalsIn(shown(amount))));
  return { balance, exact, decimals };
}

function decimalsIn(shown: string): number {
  return shown.split('.')[1]?.length ?? 0;
}
