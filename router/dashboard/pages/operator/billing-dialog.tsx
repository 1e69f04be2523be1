import { useState } from 'react';
import type { Organization } from '../../../../shared/api/organizations.ts';
import { Button } from '../../parts/button.tsx';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault, Field, Input } from '../../parts/field.tsx';
import { Segmented } from '../../parts/segmented.tsx';
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
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Change billing"
      description="A prepaid organization uses the credit that it has. An invoiced organization may have a negative balance and gets an invoice for each month."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(() => ({ billing: wanted() }));
        }}
        className="grid gap-4"
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
            <Field
              label="Credit limit in USD"
              hint="How far below zero the balance may go."
              error={change.error}
              param={PARAMS[0]}
            >
              {(described) => (
                <Input
                  {...described}
                  inputMode="decimal"
                  autoComplete="off"
                  placeholder="500"
                  value={limit}
                  onChange={({ target }) => setLimit(target.value)}
                />
              )}
            </Field>
            <Field label="Days to pay" error={change.error} param={PARAMS[1]}>
              {(described) => (
                <Input
                  {...described}
                  inputMode="numeric"
                  autoComplete="off"
                  value={days}
                  onChange={({ target }) => setDays(target.value)}
                />
              )}
            </Field>
          </>
        )}
        <Fault error={change.error} fields={type === 'invoiced' ? PARAMS : []} />
        <footer className="flex justify-end gap-2">
          <Cancel />
          <Button type="submit" look="primary" busy={change.isPending}>
            Change billing
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
