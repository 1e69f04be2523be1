/**
 * How the figures of a sum are shown beside each other: with as many decimals as they need to add up
 * as they are shown, up to every digit. Rounded one by one, −$100.00 and −$0.0013 would make −$100.01.
 */
import { picoOf, placeOf, roundedBalance, roundedPico } from './usd.ts';
import { type UsdColumn, usdColumn } from './usd-column.ts';

export type UsdTerm = Readonly<{ amount: string; balance?: boolean }>;
/** The first is what the others add up to. */
type UsdSum = readonly [UsdTerm, ...UsdTerm[]];

const DECIMALS_MAX = 12;
const CENTS = 2;

/**
 * Returns the least decimals with which each of the sums adds up, and with which no figure has fewer
 * than it has alone. A list of figures that do not add up exactly, as those of a part of a list, is no sum.
 */
export function sumDecimals(sums: readonly UsdSum[]): number {
  const terms = sums.flat();
  const ofKind = (balance: boolean) => {
    const amounts = terms.filter((term) => (term.balance ?? false) === balance);
    return usdColumn(
      amounts.map(({ amount }) => amount),
      { balance },
    ).decimals;
  };
  const exact = sums.filter((sum) => addsUp(sum, DECIMALS_MAX));
  let decimals = Math.max(ofKind(false), ofKind(true));
  while (decimals < DECIMALS_MAX && !exact.every((sum) => addsUp(sum, decimals))) decimals++;
  return decimals;
}

/** As `Money` takes it: whole cents need no more decimals. */
export function termUsd({ amount, balance = false }: UsdTerm, decimals: number): UsdColumn {
  return { balance, decimals: isWholeCents(amount) ? CENTS : decimals };
}

function isWholeCents(amount: string): boolean {
  return picoOf(amount) % placeOf(CENTS) === 0n;
}

function addsUp([result, ...parts]: UsdSum, decimals: number): boolean {
  const sum = parts.reduce((total, part) => total + shownPico(part, decimals), 0n);
  return sum === shownPico(result, decimals);
}

function shownPico({ amount, balance = false }: UsdTerm, decimals: number): bigint {
  const rounded = balance ? roundedBalance : roundedPico;
  return rounded(amount, placeOf(decimals));
}
