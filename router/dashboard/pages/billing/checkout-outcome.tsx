/**
 * After the return from the payment provider's page: waits for the payment's outcome and shows it.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import type { PaymentDetail } from '../../../../shared/api/payments.ts';
import { paymentQuery } from '../../api/billing.ts';
import { ofOrganization } from '../../api/organization.ts';
import { after } from '../../clock.ts';
import { failureReason } from '../../../../shared/payment-failures.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Money } from '../../parts/shown.tsx';
import { useOrganization } from '../../session.tsx';
import { receiptPath } from './receipt-link.tsx';
import { TryAgain } from './try-again.tsx';

/**
 * For this long a failed payment does not count as final: the person may have tried again, and the
 * confirmation may still be on its way.
 */
const PATIENT_MS = 15_000;
const POLL_MS = 1_000;
const POLL_SLOWLY_MS = 5_000;

type Paid = z.infer<typeof PaymentDetail>;
type Came = Readonly<{ payment: string; checkout: 'done' | 'left' }>;

export function CheckoutOutcome() {
  const { payment, checkout = 'left' } = useSearch({ strict: false });
  // The address is cleared once the outcome is known, so the state keeps what the notice shows.
  const [came, setCame] = useState<Came | null>(
    payment === undefined ? null : { payment, checkout },
  );
  return (
    <div role="status" className="empty:hidden">
      {came && <Outcome {...came} onClose={() => setCame(null)} />}
    </div>
  );
}

function Outcome({ payment, checkout, onClose }: Came & { onClose: () => void }) {
  const { data, error, isWaiting } = useOutcome({ payment, checkout });
  if (error) return <Fault error={error} />;
  if (data === undefined) return <Notice title="Checking the payment…" />;
  if (isWaiting) {
    return (
      <Notice title={`The ${data.purpose === 'setup' ? 'card' : 'payment'} is not confirmed yet`}>
        This page updates when the confirmation arrives. You can leave it: the confirmation does not
        depend on it.
      </Notice>
    );
  }
  return <Ended payment={data} onDismiss={onClose} />;
}

/**
 * Polls the payment until its outcome is known, then clears the address's query and refetches the
 * data that the payment changed. A payment that could not be fetched is not polled and changes
 * nothing: refetching it with the rest would fail again, and so on without end.
 */
function useOutcome({ payment, checkout }: Came) {
  const organization = useOrganization();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isPatient, setPatient] = useState(true);
  useEffect(() => after(PATIENT_MS, () => setPatient(false)), []);
  const isAwaited = (state: Paid['state']) =>
    checkout === 'done' &&
    state !== 'succeeded' &&
    (isPatient || state === 'open' || state === 'pending');
  const { data, error } = useQuery({
    ...paymentQuery(organization, payment),
    refetchInterval: ({ state: { data: fetched } }) =>
      fetched && isAwaited(fetched.state) ? (isPatient ? POLL_MS : POLL_SLOWLY_MS) : false,
  });
  const isWaiting = data !== undefined && isAwaited(data.state);
  const isOver = data !== undefined && !isWaiting;
  const isFinal = isOver || error !== null;
  useEffect(() => {
    if (isFinal) void navigate({ to: '.', search: {}, replace: true });
  }, [isFinal, navigate]);
  useEffect(() => {
    if (isOver) void queries.invalidateQueries({ queryKey: ofOrganization(organization) });
  }, [isOver, organization, queries]);
  return { data, error, isWaiting };
}

function Ended({ payment, onDismiss }: Readonly<{ payment: Paid; onDismiss: () => void }>) {
  const organization = useOrganization();
  const { id, state, purpose, reason, paid } = payment;
  if (state === 'succeeded' && purpose === 'setup') {
    return (
      <Notice tone="good" title="Card saved" onDismiss={onDismiss}>
        Auto-recharge charges this card when it is on.
      </Notice>
    );
  }
  if (state === 'succeeded') {
    return (
      <Notice
        tone="good"
        title={
          <>
            <Money amount={paid ?? '0'} /> was added to the balance
          </>
        }
        action={
          <Button asChild size="small">
            <a href={receiptPath(organization, id)} target="_blank" rel="noreferrer">
              Open receipt
            </a>
          </Button>
        }
        onDismiss={onDismiss}
      />
    );
  }
  if (state === 'failed') {
    return (
      <Notice
        tone="bad"
        title={purpose === 'setup' ? 'The card was not saved' : 'The payment failed'}
        action={<TryAgain payment={payment} />}
        onDismiss={onDismiss}
      >
        {failureReason(reason)}. Nothing was charged.
      </Notice>
    );
  }
  if (state === 'pending') {
    return (
      <Notice title="The payment is processing" onDismiss={onDismiss}>
        The credit is added when the payment provider confirms the payment.
      </Notice>
    );
  }
  return (
    <Notice
      title={state === 'expired' ? 'The checkout expired' : 'You left the checkout'}
      action={<TryAgain payment={payment} />}
      onDismiss={onDismiss}
    >
      {state === 'expired' ? 'Nothing was charged.' : 'No payment has been reported yet.'}
    </Notice>
  );
}
