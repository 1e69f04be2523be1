/** A dialog with all details of one payment, and its refunds. */
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { PaymentDetail, Refund } from '../../../../shared/api/payments.ts';
import { paymentQuery } from '../../api/billing.ts';
import { failureReason } from '../../../../shared/payment-failures.ts';
import { refundsOf } from '../../../../shared/payment-refunds.ts';
import { providerName } from '../../../../shared/payment-providers.ts';
import { paymentState, purposeName, refundState } from '../../format/money-words.ts';
import { picoOf } from '../../format/usd.ts';
import { Dialog } from '../../parts/form/dialog.tsx';
import { Fact, Facts } from '../../parts/page.tsx';
import { Id } from '../../parts/id.tsx';
import { Money, StateBadge, When } from '../../parts/shown.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useOrganization } from '../../session.tsx';
import { ReceiptLink } from './receipt-link.tsx';
import { TryAgain } from './try-again.tsx';

export function PaymentDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(paymentQuery(useOrganization(), id));
  return (
    <Dialog onClose={onClose} title="Payment" width="wide">
      <Loaded query={query}>{(payment) => <Detail payment={payment} />}</Loaded>
    </Dialog>
  );
}

function Detail({ payment }: { payment: z.infer<typeof PaymentDetail> }) {
  const { id, purpose, provider, state, amount, paid, disputed, reason } = payment;
  return (
    <div className="grid gap-5">
      <Facts>
        <Fact name="Purpose">{purposeName(purpose)}</Fact>
        <Fact name="Status">
          <StateBadge of={paymentState(payment)} />
        </Fact>
        {state === 'failed' && <Fact name="Reason">{failureReason(reason)}</Fact>}
        {amount !== null && paid !== amount && (
          <Fact name="Requested">
            <Money amount={amount} exact />
          </Fact>
        )}
        {paid !== null && (
          <Fact name="Paid">
            <Money amount={paid} exact />
          </Fact>
        )}
        {refundsOf(payment).map(({ name, amount: back }) => (
          <Fact key={name} name={name}>
            <Money amount={back} exact />
            {name === 'Refund pending' && (
              <span className="block text-muted">
                It has left the balance, and the provider has not confirmed it yet.
              </span>
            )}
          </Fact>
        ))}
        {picoOf(disputed) > 0n && (
          <Fact name="Disputed">
            <Money amount={disputed} exact />
          </Fact>
        )}
        <Fact name="Started">
          <When at={payment.created} />
        </Fact>
        <Fact name="Ended">
          <When at={payment.ended} never="Not yet" />
        </Fact>
        {payment.receipt !== null && (
          <Fact name="Receipt">
            <ReceiptLink payment={payment} />
          </Fact>
        )}
        <Fact name="Provider">{providerName(provider)}</Fact>
        <Fact name="Payment ID">
          <Id id={id} what="the payment ID" />
        </Fact>
      </Facts>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-5 empty:hidden">
        <TryAgain payment={payment}>
          {state === 'open' && (
            <p className="w-full text-sm text-muted">
              No payment has been reported yet. If you have not paid, you can begin a new payment of
              the same amount. This one expires if it is not paid.
            </p>
          )}
        </TryAgain>
      </div>
      {payment.refunds.length > 0 && <Refunds refunds={payment.refunds} />}
    </div>
  );
}

function Refunds({ refunds }: { refunds: readonly Refund[] }) {
  return (
    <section className="grid gap-2 border-t pt-4">
      <h3 className="text-sm font-semibold">Refunds</h3>
      <ul className="grid gap-3 text-sm">
        {refunds.map(({ id, amount, reason, state, created }) => (
          <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
            <span className="min-w-0 break-words">
              {reason}
              <span className="block text-xs text-muted">
                <When at={created} />
              </span>
            </span>
            <span className="flex items-center gap-2">
              <StateBadge of={refundState(state)} />
              <Money amount={amount} exact />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
