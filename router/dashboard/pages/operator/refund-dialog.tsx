import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { NewRefund, Payment, Refunded } from '../../../../shared/api/payments.ts';
import type { Sent } from '../../api/client.ts';
import { useSendOnce } from '../../api/once.ts';
import { ofOrganization } from '../../api/organization.ts';
import { exactUsd } from '../../format/usd.ts';
import { Button } from '../../parts/button.tsx';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault, Field, Input, TextArea } from '../../parts/field.tsx';
import { leftOf } from './entered.ts';

type RefundDialogProps = Readonly<{ organization: string; payment: Payment; onClose: () => void }>;

export function RefundDialog({ organization, payment, onClose }: RefundDialogProps) {
  const left = leftOf(payment);
  const [amount, setAmount] = useState(left);
  const [reason, setReason] = useState('');
  const queries = useQueryClient();
  const sendOnce = useSendOnce();
  const refund = useMutation({
    mutationFn: (wanted: Sent<typeof NewRefund>) =>
      sendOnce<z.infer<typeof Refunded>>(
        `/organizations/${organization}/payments/${payment.id}/refund`,
        wanted,
      ),
    onSuccess: onClose,
    // Refetch after an error, too: the refund may have succeeded and its response been lost.
    onSettled: () => queries.invalidateQueries({ queryKey: ofOrganization(organization) }),
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Refund ${payment.receipt ?? 'payment'}`}
      description={`You can refund up to ${exactUsd(left)}. The amount is deducted from the balance immediately and returned to the payer.`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          refund.mutate({ amount: amount.trim(), reason });
        }}
        className="grid gap-4"
      >
        <Field label="Amount in USD" error={refund.error} param="amount">
          {(described) => (
            <Input
              {...described}
              inputMode="decimal"
              autoComplete="off"
              value={amount}
              onChange={({ target }) => setAmount(target.value)}
            />
          )}
        </Field>
        <Field label="Reason" error={refund.error} param="reason">
          {(described) => (
            <TextArea
              {...described}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
              maxLength={500}
              required
            />
          )}
        </Field>
        <Fault error={refund.error} fields={['amount', 'reason']} />
        <footer className="flex justify-end gap-2">
          <Cancel />
          <Button type="submit" look="danger" busy={refund.isPending}>
            Refund payment
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
