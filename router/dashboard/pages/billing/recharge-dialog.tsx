import type { Recharge } from '../../../../shared/api/payments.ts';
import { enteredUsd, enteredUsdOrNull } from '../../format/entered-usd.ts';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { AmountField } from './amount-field.tsx';
import { useSetRecharge } from './set-recharge.ts';

const FIELDS = ['threshold', 'amount', 'monthly_cap'] as const;

type RechargeDialogProps = Readonly<{ recharge: Recharge; onClose: () => void }>;

/** Edits auto-recharge's threshold, amount and monthly cap. Saving also turns auto-recharge on. */
export function RechargeDialog({ recharge, onClose }: RechargeDialogProps) {
  const { enabled, threshold, amount, monthly_cap: monthlyCap, method } = recharge;
  const set = useSetRecharge();
  const save = (text: (name: string) => string) => {
    const settings = {
      enabled: true,
      threshold: enteredUsd(text('threshold')),
      amount: enteredUsd(text('amount')),
      monthly_cap: enteredUsdOrNull(text('monthly_cap')),
    };
    set.mutate(settings, { onSuccess: onClose });
  };
  return (
    <FormDialog
      onClose={onClose}
      title="Auto-recharge"
      description={`${method?.label ?? 'The saved card'} is charged automatically until you turn off auto-recharge.`}
      action={enabled ? 'Save changes' : 'Turn on auto-recharge'}
      mutation={set}
      fields={FIELDS}
      onSend={save}
    >
      <AmountField
        label="When the balance falls below"
        hint="Excludes credit reserved for running requests."
        param="threshold"
        defaultValue={threshold}
      />
      <AmountField label="Amount to add" hint="$5 to $4,999" param="amount" defaultValue={amount} />
      <AmountField
        label="Monthly cap"
        hint="Optional. Per calendar month (UTC)."
        param="monthly_cap"
        defaultValue={monthlyCap ?? ''}
      />
    </FormDialog>
  );
}
