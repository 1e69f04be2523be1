import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type {
  Adjusted,
  Credit,
  CreditState,
  NewAdjustment,
} from '../../../../../shared/api/credit.ts';
import type { Organization } from '../../../../../shared/api/organizations.ts';
import type { Sent } from '../../../api/client.ts';
import { useSendOnce } from '../../../api/once.ts';
import { creditQuery, ofOrganization } from '../../../api/organization.ts';
import { enteredUsd } from '../../../format/entered-usd.ts';
import { rechargeState } from '../../../format/money-words.ts';
import { sumDecimals } from '../../../format/usd-sum.ts';
import { Button } from '../../../parts/form/button.tsx';
import { TextField } from '../../../parts/form/field.tsx';
import { FormDialog } from '../../../parts/form/form-dialog.tsx';
import { ReasonField } from '../../../parts/form/reason-field.tsx';
import { Fact, Facts, Panel } from '../../../parts/page.tsx';
import { ExactBalance, Money } from '../../../parts/shown.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { balanceAfter } from './entered.ts';

type CreditPanelProps = Readonly<{
  organization: Organization;
  /** As wide as the page: the facts stand beside each other. */
  wide?: boolean;
}>;

export function CreditPanel({ organization, wide = false }: CreditPanelProps) {
  const credit = useQuery(creditQuery(organization.id));
  const [adjusting, setAdjusting] = useState(false);
  return (
    <Panel
      title="Credit"
      actions={
        credit.data &&
        organization.deleted === null && (
          <ForAdministrators>
            <Button size="small" onClick={() => setAdjusting(true)}>
              Adjust credit
            </Button>
          </ForAdministrators>
        )
      }
    >
      <Loaded query={credit}>
        {(state) => <CreditFacts credit={state} billing={organization.billing} wide={wide} />}
      </Loaded>
      {adjusting && credit.data && (
        <AdjustDialog
          organization={organization}
          credit={credit.data}
          onClose={() => setAdjusting(false)}
        />
      )}
    </Panel>
  );
}

type FactsProps = Readonly<{
  credit: z.infer<typeof CreditState>;
  billing: Organization['billing'];
  wide: boolean;
}>;

function CreditFacts({ credit, billing, wide }: FactsProps) {
  // Each as it is read alone, whatever is on hold at the moment: the tooltips have every digit.
  const figure = (amount: string, balance = false) => <Money amount={amount} balance={balance} />;
  const facts = [
    {
      name: 'Balance',
      value: (
        <>
          {figure(credit.balance, true)}
          <span className="block text-xs font-normal empty:hidden">
            <ExactBalance amount={credit.balance} />
          </span>
        </>
      ),
    },
    ...(billing.type === 'invoiced'
      ? [{ name: 'Credit limit', value: figure(billing.credit_limit) }]
      : []),
    { name: 'Held', value: figure(credit.held) },
    { name: 'Available', value: figure(credit.available, true) },
    ...(billing.type === 'prepaid'
      ? [{ name: 'Auto-recharge', value: rechargeState(credit.recharge.state).name }]
      : []),
  ];
  if (!wide) {
    return (
      <Facts>
        {facts.map(({ name, value }) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </Facts>
    );
  }
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-4">
      {facts.map(({ name, value }) => (
        <div key={name} className="grid content-start gap-0.5">
          <dt className="text-muted">{name}</dt>
          <dd className="font-medium tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type AdjustProps = Readonly<{ organization: Organization; credit: Credit; onClose: () => void }>;

function AdjustDialog({ organization: { id, name }, credit, onClose }: AdjustProps) {
  const [amount, setAmount] = useState('');
  const queries = useQueryClient();
  const sendOnce = useSendOnce();
  const adjust = useMutation({
    mutationFn: (adjustment: Sent<typeof NewAdjustment>) =>
      sendOnce<z.infer<typeof Adjusted>>(`/organizations/${id}/credit/adjustments`, adjustment),
    onSuccess: onClose,
    // Refetch after an error, too: the adjustment may have succeeded and its response been lost.
    onSettled: () => queries.invalidateQueries({ queryKey: ofOrganization(id) }),
  });
  const decimalsOf = (after: string) =>
    sumDecimals([
      [
        { amount: after, balance: true },
        { amount: credit.balance, balance: true },
        { amount: enteredUsd(amount) },
      ],
    ]);
  const next = balanceAfter(credit.balance, amount);
  const shown = { balance: true, ...(next !== null && { decimals: decimalsOf(next) }) };
  return (
    <FormDialog
      onClose={onClose}
      title="Adjust credit"
      description={`${name} sees the adjustment and its reason in its activity.`}
      action="Adjust credit"
      mutation={adjust}
      fields={['amount', 'reason']}
      onSend={(text) => adjust.mutate({ amount: enteredUsd(amount), reason: text('reason') })}
    >
      <TextField
        label="Amount in USD"
        hint="Enter a negative amount, such as -2.50, to remove credit."
        param="amount"
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        onChange={setAmount}
        placeholder="25"
      />
      <ReasonField />
      <div className="rounded-lg bg-sunken px-3 py-2.5">
        <Facts>
          <Fact name="Balance now">
            <Money amount={credit.balance} {...shown} />
          </Fact>
          <Fact name="Balance after">
            {next === null ? (
              '–'
            ) : (
              <span className={next.startsWith('-') ? 'text-bad' : undefined}>
                <Money amount={next} {...shown} />
              </span>
            )}
          </Fact>
        </Facts>
      </div>
    </FormDialog>
  );
}
