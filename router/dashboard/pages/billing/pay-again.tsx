import type { ReactNode } from 'react';
import type { Payment } from '../../../../shared/api/payments.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { useMay, useOrganization } from '../../session.tsx';
import { useIsHelpedByCredit } from '../../suspension.ts';
import { beginTopUp, useLeave } from './use-checkout.ts';

type PayAgainProps = Readonly<{
  payment: Pick<Payment, 'purpose' | 'state' | 'amount'>;
  /** Shown before the button, and only with it. */
  children?: ReactNode;
}>;

const UNPAID: readonly Payment['state'][] = ['open', 'expired', 'failed'];

/**
 * Begins another top-up of the amount of one that has not been paid: the address of its checkout is
 * not kept. Renders nothing for a payment that succeeded or is being processed. Any other may still be
 * reported as paid.
 */
export function PayAgain({ payment: { purpose, state, amount }, children }: PayAgainProps) {
  if (purpose !== 'top-up' || amount === null || !UNPAID.includes(state)) return null;
  return <PayAmount amount={amount}>{children}</PayAmount>;
}

/** Each has a mutation of its own, so a list has it only for payments that need it. */
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
        {busy ? 'Opening checkout…' : 'Pay again'}
      </Button>
      <Fault error={error} />
    </>
  );
}
