import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Payment } from '../../../../shared/api/payments.ts';
import { paymentsQuery } from '../../api/billing.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { useMay, useOrganization } from '../../session.tsx';
import { useIsHelpedByCredit } from '../../suspension.ts';
import { amountToTryAgain, isLeft } from './left-payment.ts';
import { beginTopUp, useLeave } from './use-checkout.ts';

type TryAgainProps = Readonly<{
  payment: Payment;
  /** Shown before the button, and only with it. */
  children?: ReactNode;
}>;

/**
 * Begins another top-up of the amount of one that has not been paid: the address of its checkout is
 * not kept. Renders nothing for a payment that is not offered again (left-payment.ts).
 */
export function TryAgain({ payment, children }: TryAgainProps) {
  const { data: listed = [] } = useInfiniteQuery({
    ...paymentsQuery(useOrganization()),
    enabled: isLeft(payment),
  });
  const amount = amountToTryAgain(payment, listed);
  if (amount === null) return null;
  return <PayAmount amount={amount}>{children}</PayAmount>;
}

/** Each has a mutation of its own, so a list has it only for the payment that needs it. */
function PayAmount({ amount, children }: Readonly<{ amount: string; children: ReactNode }>) {
  const organization = useOrganization();
  const may = useMay('billing');
  const isHelpedByCredit = useIsHelpedByCredit();
  const { leave, busy, error } = useLeave((wanted: string) =>
    beginTopUp(organization, { amount: wanted }),
  );
  if (!may || !isHelpedByCredit) return null;
  return (
    <>
      {children}
      <Button size="small" busy={busy} onClick={() => leave(amount)}>
        {busy ? 'Opening checkout…' : 'Try again'}
      </Button>
      <Fault error={error} />
    </>
  );
}
