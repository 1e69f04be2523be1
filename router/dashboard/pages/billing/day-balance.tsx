import { termUsd } from '../../format/usd-sum.ts';
import { Money } from '../../parts/shown.tsx';

type DayBalanceProps = Readonly<{
  amount: string;
  /** With which the figures of every day in the list add up. */
  decimals: number;
}>;

/** The balance before or after a day, shown alike in the list and in the dialog of the day. */
export function DayBalance({ amount, decimals }: DayBalanceProps) {
  return <Money amount={amount} {...termUsd({ amount, balance: true }, decimals)} />;
}
