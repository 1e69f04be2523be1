import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { NewRefund, Payment, Refunded } from '../../../../../shared/api/payments.ts';
import type { Sent } from '../../../api/client.ts';
import { useSendOnce } from '../../../api/once.ts';
import { ofOrganization } from '../../../api/organization.ts';
import { enteredUsd } from '../../../format/entered-usd.ts';
import { exactUsd } from '../../../format/usd.ts';
import { TextField } from '../../../parts/form/field.tsx';
import { FormDialog } from '../../../parts/form/form-dialog.tsx';
import { ReasonField } from '../../../parts/form/reason-field.tsx';
import { leftOf } from './entered.ts';

type RefundDialogProps = Readonly<{ organization: string; payment: Payment; onClose: () => void }>;

export function RefundDialog({ organization, payment, onClose }: RefundDialogProps) {
  const left = leftOf(payment);
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
    <FormDialog
      onClose={onClose}
      title={`Refund ${payment.receipt ?? 'payment'}`}
      description={`You can refund up to ${exactUsd(left)}. The amount is deducted from the balance immediately and returned to the payer.`}
      action="Refund payment"
      danger
      mutation={refund}
      fields={['amount', 'reason']}
      onSend={(text) =>
        refund.mutate({ amount: enteredUsd(text('amount')), reason: text('reason') })
      }
    >
      <TextField
        label="Amount in USD"
        param="amount"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={left}
      />
      <ReasonField />
    </FormDialog>
  );
}
