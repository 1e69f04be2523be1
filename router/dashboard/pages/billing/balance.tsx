/** The balance and the available credit, with a notice when the credit runs low. */
import type { Credit } from '../../../../shared/api/credit.ts';
import type { Organization } from '../../../../shared/api/organizations.ts';
import { picoOf } from '../../format/usd.ts';
import { Notice } from '../../parts/notice.tsx';
import { Stat } from '../../parts/page.tsx';
import { Money } from '../../parts/shown.tsx';

const CENT = picoOf('0.01');

export function Balance({ credit, of }: { credit: Credit; of: Organization }) {
  const { billing } = of;
  const isInvoiced = billing.type === 'invoiced';
  return (
    <>
      <RunsOut credit={credit} threshold={isInvoiced ? null : of.low_balance_threshold} />
      <div
        className={`grid gap-4 ${isInvoiced ? 'sm:grid-cols-2 xl:grid-cols-4' : 'sm:grid-cols-3'}`}
      >
        <Stat
          label="Balance"
          note={isInvoiced ? 'Negative means used but not yet paid' : 'Credit that is not used yet'}
        >
          <Money amount={credit.balance} rounding="down" />
        </Stat>
        <Stat label="Held" note="Reserved for running requests">
          <Money amount={credit.held} />
        </Stat>
        <Stat
          label="Available"
          note={
            isInvoiced ? 'Balance plus credit limit minus held credit' : 'Balance minus held credit'
          }
        >
          <Money amount={credit.available} rounding="down" />
        </Stat>
        {isInvoiced && (
          <Stat label="Credit limit" note={termsOf(billing.payment_terms_days)}>
            <Money amount={billing.credit_limit} rounding="down" />
          </Stat>
        )}
      </div>
    </>
  );
}

function termsOf(days: number): string {
  if (days === 0) return 'Invoiced monthly, due on receipt';
  return `Invoiced monthly, due within ${days} ${days === 1 ? 'day' : 'days'}`;
}

/**
 * `threshold` is null when none is set, and for invoiced organizations, whose balance may be
 * negative.
 */
type RunsOutProps = Readonly<{ credit: Credit; threshold: string | null }>;

function RunsOut({ credit: { balance, available }, threshold }: RunsOutProps) {
  const left = picoOf(available);
  if (left < CENT) {
    return (
      <Notice tone="bad" title={left <= 0n ? 'Out of credit' : 'Almost out of credit'}>
        Requests that may cost more than the available credit are rejected with status 402 until
        credit is added.
      </Notice>
    );
  }
  if (threshold === null || picoOf(balance) >= picoOf(threshold)) return null;
  return (
    <Notice tone="warn" title="The balance is low">
      It is below <Money amount={threshold} />. When no credit is available, requests are rejected
      with status 402.
    </Notice>
  );
}
