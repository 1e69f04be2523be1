import { useMutation } from '@tanstack/react-query';
import type { Invoice, InvoicePaid, InvoiceVoid } from '../../../../../shared/api/invoices.ts';
import { type Sent, send } from '../../../api/client.ts';
import { ofOrganization } from '../../../api/organization.ts';
import { INVOICES_KEY } from '../../../api/platform.ts';
import { now } from '../../../clock.ts';
import { exactUsd } from '../../../format/usd.ts';
import { dayText, utcDate } from '../../../format/utc.ts';
import { TextField } from '../../../parts/form/field.tsx';
import { FormDialog } from '../../../parts/form/form-dialog.tsx';

const WORDS = {
  paid: {
    title: 'Mark as paid',
    label: 'Reference',
    hint: 'Identifies the payment, such as the number of a bank transfer.',
    action: 'Mark as paid',
    param: 'reference',
    means: (due: string) =>
      `${due} is added to the balance of the organization. This cannot be undone.`,
  },
  void: {
    title: 'Void',
    label: 'Reason',
    hint: 'Shown to the customer on the invoice.',
    action: 'Void invoice',
    param: 'reason',
    means: (due: string) => `${due} is carried over to the next invoice. This cannot be undone.`,
  },
} as const;

const DAY = 'paid_on';

/** An invoice that is about to be marked as paid, or voided. */
export type EndingInvoice = Readonly<{ invoice: Invoice; how: 'paid' | 'void' }>;

type EndInvoiceProps = EndingInvoice & Readonly<{ onClose: () => void }>;

export function EndInvoice({ invoice, how, onClose }: EndInvoiceProps) {
  const { id, organization, number, amount_due: due, created } = invoice;
  const today = dayText(now());
  const end = useMutation({
    mutationFn: ({ text, day }: { text: string; day: string }) => {
      const paid: Sent<typeof InvoicePaid> = {
        reference: text,
        ...(day !== '' && { paid_on: day }),
      };
      const voided: Sent<typeof InvoiceVoid> = { reason: text };
      return send<Invoice>(
        'POST',
        `/organizations/${organization}/invoices/${id}/${how}`,
        how === 'paid' ? paid : voided,
      );
    },
    meta: { refetch: [ofOrganization(organization), INVOICES_KEY] },
    onSuccess: onClose,
  });
  const { title, label, hint, action, param, means } = WORDS[how];
  return (
    <FormDialog
      onClose={onClose}
      title={`${title}: ${number}`}
      description={means(exactUsd(due))}
      action={action}
      danger={how === 'void'}
      mutation={end}
      fields={[param, DAY]}
      onSend={(text) => end.mutate({ text: text(param), day: text(DAY) })}
    >
      <TextField
        label={label}
        hint={hint}
        param={param}
        maxLength={200}
        autoComplete="off"
        required
      />
      {how === 'paid' && (
        <TextField
          label="Paid on (UTC)"
          param={DAY}
          hint={`From ${utcDate(created)}, when the invoice was issued, to today.`}
          type="date"
          min={dayText(Date.parse(created))}
          max={today}
          defaultValue={today}
        />
      )}
    </FormDialog>
  );
}
