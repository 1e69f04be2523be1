import { Link } from '@tanstack/react-router';
import type { OrganizationView } from '../operator-search.ts';
import type { BillingView } from '../search.ts';
import { cx } from './class-names.ts';

type View = BillingView | OrganizationView;

type ViewLinksProps = Readonly<{
  /** The name of the navigation for screen readers. */
  label: string;
  /** The names of the views. An address without a view shows the first. */
  views: Readonly<Partial<Record<View, string>>>;
  shown: View;
}>;

/** Leads to the views of a page, each with an address of its own. */
export function ViewLinks({ label, views, shown }: ViewLinksProps) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-x-3.5 border-b sm:gap-x-5">
      {(Object.entries(views) as [View, string][]).map(([view, name], index) => (
        <Link
          key={view}
          to="."
          search={index === 0 ? {} : { view }}
          // Without this, the router marks the first link on every view.
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={view === shown ? 'page' : undefined}
          className={cx(
            '-mb-px border-b-2 py-2 text-sm font-medium whitespace-nowrap max-sm:py-3',
            view === shown
              ? 'border-accent text-ink'
              : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
