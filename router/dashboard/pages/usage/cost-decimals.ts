/** How the cost of a period and those of its groups are shown: as a sum. */
import type { UsageSummary } from '../../../../shared/api/usage.ts';
import { sumDecimals, type UsdTerm } from '../../format/usd-sum.ts';

export type CostDecimals = Readonly<{ cost: number; saved: number }>;

/** `all`: with more groups than those of the chart. */
export function costDecimals(
  { totals }: Pick<UsageSummary, 'totals'>,
  { groups }: Pick<UsageSummary, 'groups'>,
): CostDecimals {
  const of = (figure: 'cost' | 'cached_savings') => {
    const parts = groups.map((group): UsdTerm => ({ amount: group[figure] }));
    return sumDecimals([[{ amount: totals[figure] }, ...parts]]);
  };
  return { cost: of('cost'), saved: of('cached_savings') };
}
