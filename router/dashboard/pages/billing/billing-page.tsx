/** The billing page: the balance, and below it one of several views of the organization's money. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Recharge } from '../../../../shared/api/payments.ts';
import { paymentsQuery } from '../../api/billing.ts';
import { creditQuery, ofOrganization, organizationQuery } from '../../api/organization.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { ViewLinks } from '../../parts/view-links.tsx';
import type { BillingSearch } from '../../search.ts';
import { RoleNote, useMay, useOrganization } from '../../session.tsx';
import { useIsHelpedByCredit } from '../../suspension.ts';
import { Activity } from './activity.tsx';
import { AutoRecharge } from './auto-recharge.tsx';
import { Balance } from './balance.tsx';
import { BillingDetails } from './billing-details.tsx';
import { Budget } from './budget.tsx';
import { CheckoutOutcome } from './checkout-outcome.tsx';
import { Invoices } from './invoices.tsx';
import { LowBalance } from './low-balance.tsx';
import { Payments } from './payments.tsx';
import { Statement } from './statement.tsx';
import { TopUp } from './top-up.tsx';
import { VIEW_NAMES } from './view-names.ts';

/**
 * Refetch intervals of the credit, which requests spend all the time. The second applies during a
 * recharge.
 */
const LOOK_AGAIN_MS = 15_000;
const LOOK_AGAIN_SOON_MS = 2_000;

export default function BillingPage() {
  // The key discards typed text and notices when the person switches to another organization.
  return <Billing key={useOrganization()} />;
}

function Billing() {
  const organization = useOrganization();
  const may = useMay('billing');
  const isHelpedByCredit = useIsHelpedByCredit();
  const itself = useQuery(organizationQuery(organization));
  const credit = useQuery({
    ...creditQuery(organization),
    refetchInterval: ({ state }) =>
      state.data?.recharge.state === 'paying' ? LOOK_AGAIN_SOON_MS : LOOK_AGAIN_MS,
  });
  const payments = useInfiniteQuery(paymentsQuery(organization));
  const begun = payments.data ?? [];
  const { view = 'credit' }: BillingSearch = useSearch({ strict: false });
  useFreshLists(credit.data?.recharge);
  return (
    <Page title="Billing">
      <CheckoutOutcome />
      <RoleNote permission="billing">You cannot add credit or change auto-recharge.</RoleNote>
      <Loaded query={itself} loading={<Grey />}>
        {(of) => (
          <Loaded query={credit} loading={<Grey />}>
            {(shown) => (
              <>
                {/* A printed statement has the balance at the end of its month. */}
                <div className={view === 'statements' ? 'print:hidden' : undefined}>
                  <Balance credit={shown} of={of} />
                </div>
                <ViewLinks label="Billing" views={VIEW_NAMES} shown={view} />
                {view === 'credit' && (
                  <div className="grid items-start gap-6 lg:grid-cols-2">
                    {may && isHelpedByCredit && <TopUp hasCard={shown.recharge.method !== null} />}
                    <AutoRecharge
                      recharge={shown.recharge}
                      failure={lastFailure(begun)}
                      isSuspended={of.status === 'suspended'}
                      // The sandbox provider has no page for managing cards.
                      hasPortal={begun[0] !== undefined && begun[0].provider !== 'sandbox'}
                    />
                  </div>
                )}
                {view === 'activity' && <Activity />}
                {view === 'payments' && (
                  <>
                    <Invoices isInvoiced={of.billing.type === 'invoiced'} />
                    <Payments />
                    <BillingDetails name={of.name} />
                  </>
                )}
                {view === 'statements' && <Statement created={of.created} />}
                {view === 'budget' && (
                  <div className="grid items-start gap-6 lg:grid-cols-2">
                    <Budget />
                    <LowBalance threshold={of.low_balance_threshold} />
                  </div>
                )}
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

type Begun = Readonly<{ purpose: string; state: string; reason: string | null }>;

function lastFailure(payments: readonly Begun[]): string | null {
  const last = payments.find(({ purpose }) => purpose === 'recharge');
  return last?.state === 'failed' ? last.reason : null;
}

/**
 * Refetches payments and transfers when a recharge starts or ends, which happens without any click.
 */
function useFreshLists(recharge: Recharge | undefined): void {
  const organization = useOrganization();
  const queries = useQueryClient();
  const mark = recharge && `${recharge.state} ${recharge.payment} ${recharge.month_spent}`;
  const before = useRef(mark);
  useEffect(() => {
    if (before.current !== undefined && before.current !== mark) {
      for (const list of ['payments', 'ledger', 'transfers']) {
        void queries.invalidateQueries({ queryKey: ofOrganization(organization, list) });
      }
    }
    before.current = mark;
  }, [mark, organization, queries]);
}

function Grey() {
  return (
    <div className="grid gap-6">
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-56 w-full" />
    </div>
  );
}
