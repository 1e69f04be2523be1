import { useState } from 'react';
import type { Organization } from '../../../../../shared/api/organizations.ts';
import { enteredUsd } from '../../../format/entered-usd.ts';
import { TextField } from '../../../parts/form/field.tsx';
import { FormDialog } from '../../../parts/form/form-dialog.tsx';
import { Segmented } from '../../../parts/form/segmented.tsx';
import { useChangeTerms } from './change-terms.ts';
import { wholeOrNull } from './entered.ts';

const PARAMS = ['billing.credit_limit', 'billing.payment_terms_days'] as const;

type Type = Organization['billing']['type'];

const MEANS: Readonly<Record<Type, string>> = {
  prepaid: 'Requests use the credit that the organization has, and are refused when there is none.',
  invoiced:
    'The balance may fall below zero by up to the credit limit, and the organization gets an invoice for each month.',
};

const ENDS =
  'The balance must be zero or more now, with the credit on hold deducted. The credit limit ends, and within about a minute a last invoice covers what was spent until then, of which nothing is due. Open invoices stay open until they are paid or voided.';

/** What it means to have a type of billing, or to change to it. */
function effectOf(from: Type, to: Type): string {
  return from === 'invoiced' && to === 'prepaid' ? ENDS : MEANS[to];
}

type BillingDialogProps = Readonly<{ organization: Organization; onClose: () => void }>;

export function BillingDialog({ organization: { id, billing }, onClose }: BillingDialogProps) {
  const invoiced = billing.type === 'invoiced' ? billing : null;
  const [type, setType] = useState<Type>(billing.type);
  const [limit, setLimit] = useState(invoiced?.credit_limit ?? '');
  const [days, setDays] = useState(String(invoiced?.payment_terms_days ?? 30));
  const change = useChangeTerms(id, onClose);
  const wanted = () => {
    if (type === 'prepaid') return { type } as const;
    const terms = wholeOrNull(days, PARAMS[1]);
    return {
      type,
      credit_limit: enteredUsd(limit),
      ...(terms === null ? {} : { payment_terms_days: terms }),
    } as const;
  };
  return (
    <FormDialog
      onClose={onClose}
      title="Change billing"
      description={effectOf(billing.type, type)}
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
