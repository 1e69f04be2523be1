/**
 * The layout of the documentation and of the reference of the management API: the list of pages at the side, or above
 * the page on a phone, where it opens on request. Both are in the frame that everybody may see.
 */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { OpenFrame } from '../../shell/open-frame.tsx';
import { SectionsMenu } from '../../shell/sections-menu.tsx';

type Area = 'inference' | 'api';

type DocsLayoutProps = Readonly<{
  area: Area;
  /** Above the list, also on a phone: the search. */
  search: ReactNode;
  /** The list of pages. */
  list: ReactNode;
  /** What a phone calls the list. */
  listName: string;
  /** At the right, where there is room; false if there is nothing to show. */
  aside?: ReactNode | false;
  children: ReactNode;
}>;

const COLUMN =
  'sticky top-(--header) max-h-[calc(100dvh-var(--header))] overflow-y-auto -mx-1 px-1 py-8';

/** Stays below the header while the page scrolls, where there is no column for the sections. */
const SECTIONS_BAR =
  'sticky top-(--header) z-10 -mx-4 -mt-6 mb-4 border-b bg-ground px-1.5 py-1 empty:hidden sm:-mx-8 sm:-mt-8 sm:mb-6 sm:px-5.5 @4xl:hidden';

export function DocsLayout({ area, search, list, listName, aside, children }: DocsLayoutProps) {
  return (
    <OpenFrame wide>
      <div className="@container">
        <div className="mx-auto grid max-w-[88rem] grid-cols-[minmax(0,1fr)] gap-x-10 px-4 sm:px-8 @4xl:grid-cols-[13rem_minmax(0,1fr)] @6xl:has-[[data-aside]]:grid-cols-[13rem_minmax(0,1fr)_12rem]">
          <div className="@4xl:hidden">
            <div className="grid gap-3 pt-4">
              <Areas area={area} />
              {search}
            </div>
            <details className="border-b py-3 text-sm">
              <summary className="w-max rounded font-medium">{listName}</summary>
              <div className="pt-3">{list}</div>
            </details>
          </div>
          <aside className="hidden @4xl:block" aria-label="Documentation pages">
            <div className={COLUMN}>
              <div className="grid gap-4 px-0.5">
                <Areas area={area} />
                {search}
                {list}
              </div>
            </div>
          </aside>
          <div className="min-w-0 py-6 [--heading-top:calc(var(--header)+4rem)] sm:py-8 @4xl:[--heading-top:calc(var(--header)+1rem)]">
            <div className={SECTIONS_BAR}>
              <SectionsMenu />
            </div>
            {children}
          </div>
          {aside && (
            <aside data-aside className="hidden @6xl:block" aria-label="On this page">
              <div className={COLUMN}>{aside}</div>
            </aside>
          )}
        </div>
      </div>
    </OpenFrame>
  );
}

const AREA =
  'rounded px-2.5 py-1 text-center text-xs font-medium whitespace-nowrap text-muted hover:text-ink data-current:bg-hover data-current:text-ink';

/** The two halves of the documentation. */
function Areas({ area }: { area: Area }) {
  return (
    <nav
      aria-label="Documentation"
      className="grid grid-cols-[auto_auto] rounded-md border border-line-strong bg-panel p-0.5"
    >
      <Link
        to="/docs"
        activeOptions={{ exact: true }}
        data-current={area === 'inference' || undefined}
        className={AREA}
      >
        Inference
      </Link>
      <Link to="/docs/api" data-current={area === 'api' || undefined} className={AREA}>
        Management API
      </Link>
    </nav>
  );
}
