/**
 * A form for the amount of credit to buy. The payment itself happens on the payment provider's
 * page.
 */
import { useState } from 'react';
import type { NewPayment } from '../../../../shared/api/payments.ts';
import type { Sent } from '../../api/client.ts';
import { enteredUsd } from '../../format/entered-usd.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Panel } from '../../parts/page.tsx';
import { Segmented } from '../../parts/form/segmented.tsx';
import { useOrganization } from '../../session.tsx';
import { AmountField } from './amount-field.tsx';
import { beginTopUp, useLeave } from './use-checkout.ts';

const PRESETS = ['10', '20', '50', '100', '500'].map((value) => ({ value, name: `$${value}` }));

export function TopUp({ hasCard }: { hasCard: boolean }) {
  const organization = useOrganization();
  const [amount, setAmount] = useState('20');
  const [keeps, setKeeps] = useState(false);
  const { leave, busy, error } = useLeave((body: Sent<typeof NewPayment>) =>
    beginTopUp(organization, body),
  );
  return (
    <Panel title="Add credit" description="Secure checkout.">
      <Form
        error={error}
        className="grid justify-items-start gap-4"
        onSend={() => leave({ amount: enteredUsd(amount), keep_method: keeps })}
      >
        <Segmented
          label="Common amounts"
          value={enteredUsd(amount)}
          choices={PRESETS}
          onChange={setAmount}
        />
        <div className="w-full max-w-72">
          <AmountField
            label="Amount"
            hint="$5 to $4,999"
            param="amount"
            value={amount}
            onChange={setAmount}
          />
        </div>
        <label className="flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={keeps}
            onChange={(event) => setKeeps(event.target.checked)}
            className="size-4 accent-accent"
          />
          {hasCard ? 'Replace the saved card with this one' : 'Save the card for auto-recharge'}
        </label>
        <Fault error={error} fields={['amount']} />
        <Button type="submit" look="primary" busy={busy}>
          {busy ? 'Opening checkout…' : 'Continue to checkout'}
        </Button>
      </Form>
    </Panel>
  );
}
