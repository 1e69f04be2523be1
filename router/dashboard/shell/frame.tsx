/**
 * The frame of every page for signed-in people: the navigation, and on a phone a bar that opens it.
 */
import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams, useRouter, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import type { Me } from '../../../shared/api/people.ts';
import { organizationQuery } from '../api/organization.ts';
import { isOperatorPath, PAGES } from '../pages.ts';
import { Button } from '../parts/form/button.tsx';
import {
  isOrganizationId,
  lastOrganization,
  OrganizationShown,
  rememberOrganization,
  useMe,
} from '../session.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ActingFrame } from './acting-frame.tsx';
import { BalanceNotice } from './balance-notice.tsx';
import { IncidentBanner } from './incident-banner.tsx';
import { Mark } from './mark.tsx';
import { LinksHeading, OperatorLinks, OrganizationLinks } from './navigation.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { usePalette } from './palette/use-palette.tsx';
import { SectionsMenu } from './sections-menu.tsx';
import { Switcher } from './switcher.tsx';
import { TOP_BAR } from './top-bar.ts';
import { ViewerNotice } from './viewer-notice.tsx';

/** `children` are shown in place of the page of the address. */
export function Frame({ children = <Outlet /> }: Readonly<{ children?: ReactNode }>) {
  const [open, setOpen] = useState(false);
  const me = useMe();
  const shown = useShownOrganization(me);
  const router = useRouter();
  // On a phone, the button is in the navigation, which makes room for the palette.
  const onOpen = useCallback(() => setOpen(false), []);
  const [palette, search] = usePalette({
    isStranger: false,
    organization: shown?.id ?? null,
    onOpen,
  });
  const sidebar = <Sidebar me={me} shown={shown} onSearch={search} />;
  // Visitors read them, too, so that they have a bar of their own for their sections.
  const isInDocs = useRouterState({
    select: ({ location }) => location.pathname.startsWith(PAGES.docs.path),
  });
  useEffect(() => router.subscribe('onBeforeNavigate', () => setOpen(false)), [router]);
  return (
    <div className="flex min-h-dvh flex-col bg-ground lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] print:block!">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-panel focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <aside className="hidden border-r lg:block">
        <div className="sticky top-0 h-dvh">{sidebar}</div>
      </aside>
      <header
        id={TOP_BAR}
        className="sticky top-0 z-30 flex items-center gap-2 border-b bg-ground px-3 py-2 lg:hidden"
      >
        <Dialog.Root open={open} onOpenChange={setOpen}>
          <Dialog.Trigger asChild>
            <Button look="ghost" square aria-label="Open navigation">
              <MenuIcon />
            </Button>
          </Dialog.Trigger>
          <Dialog.Portal>
            <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
            <Dialog.Content
              aria-describedby={undefined}
              className="fixed inset-y-0 left-0 z-50 w-68 max-w-[85vw] border-r bg-ground shadow-float"
            >
              <Dialog.Title className="sr-only">Navigation</Dialog.Title>
              {sidebar}
            </Dialog.Content>
          </Dialog.Portal>
        </Dialog.Root>
        <Mark />
        <span className="min-w-0 flex-1 truncate text-sm font-semibold">
          {shown?.name ?? 'Penstock'}
        </span>
        {!isInDocs && <SectionsMenu />}
      </header>
      <main id="content" className="flex min-w-0 flex-1 flex-col outline-none" tabIndex={-1}>
        <IncidentBanner />
        <ViewerNotice />
        <Standing me={me}>
          <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
        </Standing>
      </main>
      {palette}
    </div>
  );
}

/** What holds on every page of an organization is said above the page. */
function Standing({ me, children }: Readonly<{ me: Me; children: ReactNode }>) {
  const id = useOrganizationInPath();
  const maySee = me.operator || me.organizations.some((own) => own.id === id);
  if (id === undefined || !maySee) return children;
  return (
    <OrganizationShown id={id}>
      <ActingFrame>
        <BalanceNotice />
        {children}
      </ActingFrame>
    </OrganizationShown>
  );
}

/** Returns the organization whose page is shown; undefined on all other pages. */
function useOrganizationInPath(): string | undefined {
  const { organization } = useParams({ strict: false });
  const path = useRouterState({ select: (state) => state.location.pathname });
  return isOrganizationId(organization) && !path.startsWith('/operator') ? organization : undefined;
}

type Shown = Readonly<{ id: string; name: string }>;

/**
 * Returns the organization of the page. On pages for operators and on the person's own pages,
 * returns the organization that was shown last; null when there is none.
 */
function useShownOrganization(me: Me): Shown | null {
  const inside = useOrganizationInPath();
  useEffect(() => {
    if (inside !== undefined) rememberOrganization(inside);
  }, [inside]);
  const own = me.organizations.find(({ id }) => id === inside);
  // Operators may open an organization that they do not belong to.
  const foreign = useQuery({
    ...organizationQuery(inside ?? ''),
    enabled: inside !== undefined && own === undefined,
  });
  if (inside === undefined) return lastOrganization(me);
  return own ?? { id: inside, name: foreign.data?.name ?? '…' };
}

type SidebarProps = Readonly<{ me: Me; shown: Shown | null; onSearch: () => void }>;

function Sidebar({ me, shown, onSearch }: SidebarProps) {
  const isOperating = useRouterState({
    select: ({ location: { pathname } }) => me.operator && isOperatorPath(pathname),
  });
  return (
    <nav aria-label="Main" className="flex h-full flex-col p-3">
      <Switcher me={me} current={shown} />
      <PaletteButton onOpen={onSearch} />
      {/* Only the links scroll, so that the account stays in view. The margins leave room for the focus. */}
      <div className="-mx-1 mt-3 mb-2 min-h-0 flex-1 overflow-y-auto px-1">
        {isOperating && <OperatorLinks />}
        {shown && (
          <OrganizationShown id={shown.id}>
            {isOperating && <LinksHeading>{shown.name}</LinksHeading>}
            <OrganizationLinks organization={shown.id} />
          </OrganizationShown>
        )}
        {!isOperating && <OperatorLinks />}
      </div>
      <AccountMenu me={me} />
    </nav>
  );
}
