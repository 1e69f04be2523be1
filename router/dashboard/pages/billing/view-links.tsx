import { Link } from '@tanstack/react-router';
import { cx } from '../../parts/class-names.ts';
import { BILLING_VIEWS, type BillingView } from '../../search.ts';

const NAMES: Readonly<Record<BillingView, string>> = {
  credit: 'Credit',
  activity: 'Activity',
  transfers: 'Transfers',
  payments: 'Payments',
  statements: 'Statements',
  alerts: 'Budget and alerts',
};

/** Leads to the views of the billing page, each with an address of its own. */
export function ViewLinks({ shown }: { shown: BillingView }) {
  return (
    <nav aria-label="Billing" className="flex flex-wrap gap-x-5 gap-y-1 border-b">
      {BILLING_VIEWS.map((view) => (
        <Link
          key={view}
          to="."
          search={view === 'credit' ? {} : { view }}
          // Without this, the router marks the first link on every view.
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={view === shown ? 'page' : undefined}
          className={cx(
            '-mb-px border-b-2 py-2 text-sm font-medium whitespace-nowrap',
            view === shown
              ? 'border-accent text-ink'
              : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {NAMES[view]}
        </Link>
      ))}
    </nav>
  );
}
