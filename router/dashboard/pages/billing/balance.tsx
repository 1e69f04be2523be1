/** The balance and how long it lasts, with the figures behind it. */
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { CreditState } from '../../../../shared/api/credit.ts';
import type { Organization } from '../../../../shared/api/organizations.ts';
import { creditForecastQuery } from '../../api/organization.ts';
import { creditDecimals } from '../../format/credit-sum.ts';
import { rechargeState } from '../../format/money-words.ts';
import { termUsd } from '../../format/usd-sum.ts';
import { Fact, Facts, Panel } from '../../parts/page.tsx';
import { ExactBalance, Money, StateBadge } from '../../parts/shown.tsx';
import { useTooLittle } from '../../shell/use-too-little.ts';
import { CreditLine } from '../overview/stats.tsx';

type BalanceProps = Readonly<{ credit: z.infer<typeof CreditState>; of: Organization }>;

export function Balance({ credit, of }: BalanceProps) {
  const { billing } = of;
  const isInvoiced = billing.type === 'invoiced';
  const { balance, held, available, recharge } = credit;
  const forecast = useQuery(creditForecastQuery(of.id)).data;
  const { isTooLittle } = useTooLittle(of.id);
  const decimals = creditDecimals(credit, billing);
  const figure = (amount: string, isBalance = false) =>
    termUsd({ amount, balance: isBalance }, decimals);
  return (
    <Panel>
      <div className="grid items-center gap-x-10 gap-y-5 md:grid-cols-2">
        <div className="grid gap-1">
          <p className="text-sm text-muted">Balance</p>
          <p className="text-4xl font-semibold tracking-tight tabular-nums">
            <Money amount={balance} {...figure(balance, true)} />
          </p>
          <p className="text-sm empty:hidden">
            <ExactBalance amount={balance} decimals={decimals} />
          </p>
          <p className="text-sm text-muted empty:hidden">
            {isInvoiced ? (
              balance.startsWith('-') && 'Negative: used but not yet paid'
            ) : (
              <CreditLine
                organization={of}
                available={available}
                isRecharged={false}
                isTooLittle={isTooLittle}
                forecast={forecast}
              />
            )}
          </p>
        </div>
        <Facts>
          <Fact name="Available to spend">
            <Money amount={available} {...figure(available, true)} />
            {isInvoiced && <span className="text-muted"> with the credit limit</span>}
          </Fact>
          <Fact name="Held">
            <Money amount={held} {...figure(held)} />{' '}
            <span className="text-muted">for running requests</span>
          </Fact>
          {isInvoiced ? (
            <Fact name="Credit limit">
              <Money amount={billing.credit_limit} {...figure(billing.credit_limit)} />
              <span className="block text-muted">{termsOf(billing.payment_terms_days)}</span>
            </Fact>
          ) : (
            <Fact name="Auto-recharge">
              <StateBadge of={rechargeState(recharge.state)} />
            </Fact>
          )}
        </Facts>
      </div>
    </Panel>
  );
}

function termsOf(days: number): string {
  if (days === 0) return 'Invoiced monthly, due on receipt';
  return `Invoiced monthly, due within ${days} ${days === 1 ? 'day' : 'days'}`;
}
