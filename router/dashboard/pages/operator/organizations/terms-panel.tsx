import { useState } from 'react';
import type { Organization } from '../../../../../shared/api/organizations.ts';
import { shownCount } from '../../../format/count.ts';
import { Button } from '../../../parts/form/button.tsx';
import { Fact, Facts, Panel } from '../../../parts/page.tsx';
import { ForAdministrators } from '../../../parts/for-administrators.tsx';
import { Money } from '../../../parts/shown.tsx';
import { BillingDialog } from './billing-dialog.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import { defaultShown, LIMITS } from './limits.ts';

/** The organization's terms other than prices: how it pays, and its limits. */
export function TermsPanel({ organization }: { organization: Organization }) {
  const [changing, setChanging] = useState<'billing' | 'limits' | null>(null);
  const { billing, limits, limits_in_force: inForce, deleted } = organization;
  const close = () => setChanging(null);
  return (
    <Panel
      title="Terms"
      actions={
        deleted === null && (
          <ForAdministrators>
            <Button size="small" onClick={() => setChanging('billing')}>
              Change billing
            </Button>
            <Button size="small" onClick={() => setChanging('limits')}>
              Change limits
            </Button>
          </ForAdministrators>
        )
      }
    >
      <div className="grid gap-x-8 gap-y-2.5 lg:grid-cols-2">
        <Facts>
          <Fact name="Billing">{billing.type === 'prepaid' ? 'Prepaid' : 'Invoiced monthly'}</Fact>
          {billing.type === 'invoiced' && (
            <>
              <Fact name="Credit limit">
                <Money amount={billing.credit_limit} exact />
              </Fact>
              <Fact name="Payment terms">{shownCount(billing.payment_terms_days)} days</Fact>
            </>
          )}
        </Facts>
        <Facts>
          {LIMITS.map(({ name, label }) => (
            <Fact key={name} name={label}>
              {limits[name] === null ? (
                <span className="text-muted">{defaultShown(inForce[name])}</span>
              ) : (
                shownCount(limits[name])
              )}
            </Fact>
          ))}
        </Facts>
      </div>
      {changing === 'billing' && <BillingDialog organization={organization} onClose={close} />}
      {changing === 'limits' && <LimitsDialog organization={organization} onClose={close} />}
    </Panel>
  );
}
