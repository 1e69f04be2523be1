import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
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

/**
 * Leads to the views of a page, each with an address of its own. Views that have no room in a row
 * are reached by scrolling it, which shows the current one from the start.
 */
export function ViewLinks({ label, views, shown }: ViewLinksProps) {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current=page]');
    if (row.current && current) {
      row.current.scrollLeft =
        current.offsetLeft + current.offsetWidth / 2 - row.current.clientWidth / 2;
    }
  }, [shown]);
  return (
    <nav
      ref={row}
      aria-label={label}
      className="relative flex gap-x-4 overflow-x-auto overflow-y-hidden border-b [scrollbar-width:none] max-sm:-mx-4 max-sm:px-4 sm:gap-x-5"
    >
      {(Object.entries(views) as [View, string][]).map(([view, name], index) => (
        <Link
          key={view}
          to="."
          search={index === 0 ? {} : { view }}
          // Without this, the router marks the first link on every view.
          activeOptions={{ exact: true, includeSearch: true }}
          aria-current={view === shown ? 'page' : undefined}
          className={cx(
            'shrink-0 border-b-2 py-2 text-sm focus-visible:-outline-offset-2 font-medium whitespace-nowrap max-sm:py-3',
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
