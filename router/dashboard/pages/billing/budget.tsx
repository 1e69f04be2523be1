/** The budget of the organization for a month, what was spent of it, and the forecast. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Budget as Shown, BudgetChange } from '../../../../shared/api/budgets.ts';
import { budgetQuery } from '../../api/billing.ts';
import { formatUsd } from '../../../../shared/money.ts';
import { type Sent, send } from '../../api/client.ts';
import { ofOrganization } from '../../api/organization.ts';
import { enteredUsdOrNull } from '../../format/entered-usd.ts';
import { picoOf } from '../../format/usd.ts';
import { sumDecimals, termUsd } from '../../format/usd-sum.ts';
import { utcMonth } from '../../format/utc.ts';
import { Button } from '../../parts/form/button.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { Meter } from '../../parts/meter.tsx';
import { Fact, Facts, Panel } from '../../parts/page.tsx';
import { say } from '../../parts/said.tsx';
import { Money } from '../../parts/shown.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useMay, useOrganization, whoMay } from '../../session.tsx';
import { AmountField } from './amount-field.tsx';
import { BudgetChart } from './budget-chart.tsx';

export function Budget() {
  const may = useMay('billing');
  const query = useQuery(budgetQuery(useOrganization()));
  const [editing, setEditing] = useState(false);
  return (
    <Panel
      title="Monthly budget"
      description={`Emails ${whoMay('billing')} at 50%, 80% and 100%. Requests are not refused.`}
      actions={
        may &&
        query.data && (
          <Button size="small" onClick={() => setEditing(true)}>
            {query.data.amount === null ? 'Set' : 'Edit'}
            <span className="sr-only"> budget</span>
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(budget) => (
          <>
            <Figures budget={budget} />
            {Number(budget.spent) > 0 && <BudgetChart budget={budget} />}
            {editing && <EditDialog amount={budget.amount} onClose={() => setEditing(false)} />}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Figures({ budget: { amount, month, spent, forecast } }: { budget: Shown }) {
  const left = amount === null ? null : formatUsd(picoOf(amount) - picoOf(spent));
  const terms = [spent, left ?? '0'].map((term) => ({ amount: term }));
  const decimals = sumDecimals([[{ amount: amount ?? spent }, ...terms]]);
  return (
    <Facts>
      <Fact name={`Spent in ${utcMonth(month)}`}>
        <Money amount={spent} {...termUsd({ amount: spent }, decimals)} />
        {amount !== null && (
          <>
            {' of '}
            <Money amount={amount} {...termUsd({ amount }, decimals)} />
            <Meter share={Number(spent) / Number(amount)} className="mt-1 w-full" />
          </>
        )}
      </Fact>
      {left === null ? (
        <Fact name="Budget">
          <span className="text-muted">Not set</span>
        </Fact>
      ) : (
        <Left amount={left} decimals={decimals} />
      )}
      <Fact name="Forecast for the month">
        {forecast === null ? (
          <span className="text-muted">Available after one full day of use.</span>
        ) : (
          <>
            <Money amount={forecast} />
            {amount !== null && picoOf(forecast) > picoOf(amount) && (
              <span className="text-warn">, which is above the budget</span>
            )}
          </>
        )}
      </Fact>
    </Facts>
  );
}

function Left({ amount, decimals }: Readonly<{ amount: string; decimals: number }>) {
  const isOver = picoOf(amount) < 0n;
  const size = isOver ? formatUsd(-picoOf(amount)) : amount;
  return (
    <Fact name={isOver ? 'Over the budget' : 'Left'}>
      <span className={isOver ? 'font-medium text-warn' : undefined}>
        <Money amount={size} {...termUsd({ amount: size }, decimals)} />
      </span>
    </Fact>
  );
}

type EditProps = Readonly<{ amount: string | null; onClose: () => void }>;

function EditDialog({ amount, onClose }: EditProps) {
  const organization = useOrganization();
  const saving = useMutation({
    mutationFn: (change: Sent<typeof BudgetChange>) =>
      send<Shown>('PUT', `/organizations/${organization}/budget`, change),
    meta: { refetch: [ofOrganization(organization, 'budget')] },
    onSuccess: () => {
      say('Budget saved');
      onClose();
    },
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Monthly budget"
      description={`For each calendar month (UTC). Emails go to ${whoMay('billing')}. Requests are not refused because of a budget.`}
      action="Save"
      mutation={saving}
      fields={['amount']}
      onSend={(text) => saving.mutate({ amount: enteredUsdOrNull(text('amount')) })}
    >
      <AmountField
        label="Budget"
        hint="Leave blank for no budget."
        param="amount"
        defaultValue={amount ?? ''}
      />
    </FormDialog>
  );
}
