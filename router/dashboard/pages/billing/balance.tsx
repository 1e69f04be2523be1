/** The balance and the available credit. */
import type { Credit } from '../../../../shared/api/credit.ts';
import type { Organization } from '../../../../shared/api/organizations.ts';
import { Stat } from '../../parts/page.tsx';
import { Money } from '../../parts/shown.tsx';

export function Balance({ credit, of }: { credit: Credit; of: Organization }) {
  const { billing } = of;
  const isInvoiced = billing.type === 'invoiced';
  return (
    <div
      className={`grid gap-4 ${isInvoiced ? 'sm:grid-cols-2 xl:grid-cols-4' : 'sm:grid-cols-3'}`}
    >
      <Stat
        label="Balance"
        note={isInvoiced ? 'Negative means used but not yet paid' : 'Total credit'}
      >
        <Money amount={credit.balance} rounding="down" />
      </Stat>
      <Stat label="Held" note="Reserved for running requests">
        <Money amount={credit.held} />
      </Stat>
      <Stat
        label="Available"
        note={isInvoiced ? 'Available to spend, with the credit limit' : 'Available to spend'}
      >
        <Money amount={credit.available} rounding="down" />
      </Stat>
      {isInvoiced && (
        <Stat label="Credit limit" note={termsOf(billing.payment_terms_days)}>
          <Money amount={billing.credit_limit} rounding="down" />
        </Stat>
      )}
    </div>
  );
}

function termsOf(days: number): string {
  if (days === 0) return 'Invoiced monthly, due on receipt';
  return `Invoiced monthly, due within ${days} ${days === 1 ? 'day' : 'days'}`;
}
