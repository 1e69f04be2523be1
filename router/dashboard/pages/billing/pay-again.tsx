import type { Payment } from '../../../../shared/api/payments.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { useMay, useOrganization } from '../../session.tsx';
import { useIsHelpedByCredit } from '../../suspension.ts';
import { beginTopUp, useLeave } from './use-checkout.ts';

type PayAgainProps = Readonly<{ payment: Pick<Payment, 'purpose' | 'state' | 'amount'> }>;

const UNPAID: readonly Payment['state'][] = ['open', 'expired', 'failed'];

/**
 * Begins another top-up of the amount of one that was not paid: the address of its checkout is not
 * kept. Nothing for a payment that was paid or may still be.
 */
export function PayAgain({ payment: { purpose, state, amount } }: PayAgainProps) {
  const organization = useOrganization();
  const may = useMay('billing');
  const isHelpedByCredit = useIsHelpedByCredit();
  const { leave, busy, error } = useLeave((wanted: string) =>
    beginTopUp(organization, { amount: wanted }),
  );
  const isOffered = purpose === 'top-up' && amount !== null && UNPAID.includes(state);
  if (!may || !isHelpedByCredit || !isOffered) return null;
  return (
    <>
      <Button size="small" busy={busy} onClick={() => leave(amount)}>
        {busy ? 'Opening checkout…' : 'Pay again'}
      </Button>
      <Fault error={error} />
    </>
  );
}
