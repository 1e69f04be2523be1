/** Auto-recharge: its state, the reason when it does not work, and the buttons that change it. */
import { useState } from 'react';
import type { Recharge } from '../../../../shared/api/payments.ts';
import { rechargeState } from '../../format/money-words.ts';
import { Button } from '../../parts/form/button.tsx';
import { Fault } from '../../parts/form/field.tsx';
import { Fact, Facts, Panel } from '../../parts/page.tsx';
import { Money, StateBadge } from '../../parts/shown.tsx';
import { useMay } from '../../session.tsx';
import { PaymentMethod } from './payment-method.tsx';
import { RechargeDialog } from './recharge-dialog.tsx';
import { RechargeExplained } from './recharge-explained.tsx';
import { settingsOf, useSetRecharge } from './set-recharge.ts';

type AutoRechargeProps = Readonly<{
  recharge: Recharge;
  /** Why the latest recharge failed; null when it did not fail or no reason is known. */
  failure: string | null;
  /** Whether the payment provider has a page for managing cards. */
  hasPortal: boolean;
  isSuspended: boolean;
}>;

export function AutoRecharge({ recharge, failure, hasPortal, isSuspended }: AutoRechargeProps) {
  const may = useMay('billing');
  const { enabled, state, method } = recharge;
  return (
    <Panel
      title="Auto-recharge"
      description="Tops up automatically when your balance is low."
      actions={<StateBadge of={rechargeState(state)} />}
    >
      <div className="grid gap-4">
        <RechargeExplained {...{ recharge, failure, may, isSuspended }} />
        <Facts>
          {enabled && <Settings recharge={recharge} />}
          <Fact name="Card">
            {method?.label ?? <span className="text-muted">No saved card</span>}
          </Fact>
        </Facts>
        {may && (
          <>
            {method && (!isSuspended || enabled) && (
              <Switches recharge={recharge} isSuspended={isSuspended} />
            )}
            {(!isSuspended || method !== null) && (
              <PaymentMethod method={method} hasPortal={hasPortal} />
            )}
          </>
        )}
      </div>
    </Panel>
  );
}

function Settings({ recharge }: Pick<AutoRechargeProps, 'recharge'>) {
  const { threshold, amount, monthly_cap: cap, month_spent: spent } = recharge;
  return (
    <>
      <Fact name="Balance falls below">
        <Money amount={threshold} />
      </Fact>
      <Fact name="Amount to add">
        <Money amount={amount} />
      </Fact>
      <Fact name="Added this month (UTC)">
        <Money amount={spent} />
        {cap === null ? (
          ', no cap'
        ) : (
          <>
            {' '}
            of <Money amount={cap} />
          </>
        )}
      </Fact>
    </>
  );
}

function Switches({ recharge, isSuspended }: Pick<AutoRechargeProps, 'recharge' | 'isSuspended'>) {
  const [isOpen, setOpen] = useState(false);
  const set = useSetRecharge();
  const { enabled, state } = recharge;
  const change = (to: boolean) => set.mutate({ ...settingsOf(recharge), enabled: to });
  return (
    <>
      <Fault error={set.error} />
      <div className="flex flex-wrap gap-2">
        {state === 'paused' && !isSuspended && (
          <Button look="primary" busy={set.isPending} onClick={() => change(true)}>
            Resume
          </Button>
        )}
        <Button onClick={() => setOpen(true)}>{enabled ? 'Change settings' : 'Turn on'}</Button>
        {enabled && (
          <Button busy={set.isPending} onClick={() => change(false)}>
            Turn off
          </Button>
        )}
      </div>
      {isOpen && <RechargeDialog recharge={recharge} onClose={() => setOpen(false)} />}
    </>
  );
}
