import { useState } from 'react';
import type { Organization } from '../../../../../shared/api/organizations.ts';
import { TextField } from '../../../parts/field.tsx';
import { FormDialog } from '../../../parts/form-dialog.tsx';
import { Segmented } from '../../../parts/segmented.tsx';
import { useChangeTerms } from './change-terms.ts';
import { wholeOrNull } from './entered.ts';

const PARAMS = ['billing.credit_limit', 'billing.payment_terms_days'] as const;

type BillingDialogProps = Readonly<{ organization: Organization; onClose: () => void }>;

export function BillingDialog({ organization: { id, billing }, onClose }: BillingDialogProps) {
  const invoiced = billing.type === 'invoiced' ? billing : null;
  const [type, setType] = useState<'prepaid' | 'invoiced'>(billing.type);
  const [limit, setLimit] = useState(invoiced?.credit_limit ?? '');
  const [days, setDays] = useState(String(invoiced?.payment_terms_days ?? 30));
  const change = useChangeTerms(id, onClose);
  const wanted = () => {
    if (type === 'prepaid') return { type } as const;
    const terms = wholeOrNull(days, PARAMS[1]);
    return {
      type,
      credit_limit: limit.trim(),
      ...(terms === null ? {} : { payment_terms_days: terms }),
    } as const;
  };
  return (
    <FormDialog
      onClose={onClose}
      title="Change billing"
      description="A prepaid organization uses the credit that it has. An invoiced organization may have a negative balance and gets an invoice for each month."
      action="Change billing"
      mutation={change}
      fields={type === 'invoiced' ? PARAMS : []}
      onSend={() => change.mutate(() => ({ billing: wanted() }))}
    >
      <div>
        <Segmented
          label="Billing"
          value={type}
          choices={[
            { value: 'prepaid', name: 'Prepaid' },
            { value: 'invoiced', name: 'Invoiced' },
          ]}
          onChange={setType}
        />
      </div>
      {type === 'invoiced' && (
        <>
          <TextField
            label="Credit limit in USD"
            hint="How far below zero the balance may go."
            param={PARAMS[0]}
            inputMode="decimal"
            autoComplete="off"
            placeholder="500"
            value={limit}
            onChange={setLimit}
          />
          <TextField
            label="Days to pay"
            param={PARAMS[1]}
            inputMode="numeric"
            autoComplete="off"
            value={days}
            onChange={setDays}
          />
        </>
      )}
    </FormDialog>
  );
}
