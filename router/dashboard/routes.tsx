/** The routes of all pages. The code of a page is loaded when the page is first opened. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { type ComponentType, type FunctionComponent, lazy } from 'react';
import { ApiError } from './api/client.ts';
import { meQuery } from './api/me.ts';
import { PAGES, type PageName } from './pages.ts';
import { billingSearch, playgroundSearch, signInSearch, usageSearch } from './search.ts';
import { lastOrganization } from './session.tsx';
import { Broken, NotFound } from './shell/broken.tsx';
import { Frame } from './shell/frame.tsx';
import { Guard } from './shell/guard.tsx';

type Load = () => Promise<{ default: ComponentType }>;

function guarded(name: PageName, load: Load): FunctionComponent {
  const Lazy = lazy(load);
  return () => (
    <Guard name={name}>
      <Lazy />
    </Guard>
  );
}

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  component: lazy(() => import('./pages/people/sign-in-page.tsx')),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazy(() => import('./pages/people/sign-up-page.tsx')),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  component: lazy(() => import('./pages/people/reset-page.tsx')),
});
const confirm = createRoute({
  getParentRoute: () => root,
  path: '/confirm',
  component: lazy(() => import('./pages/people/confirm-page.tsx')),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazy(() => import('./pages/people/invitation-page.tsx')),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Frame,
  beforeLoad: async ({ context: { queries }, location }) => {
    const me = await queries.ensureQueryData(meQuery).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      throw redirect({
        to: '/sign-in',
        search: location.href === '/' ? {} : { next: location.href },
      });
    });
    return { me };
  },
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context: { me } }) => {
    const last = lastOrganization(me);
    if (last) throw redirect({ to: '/$organization', params: { organization: last.id } });
    throw redirect({ to: me.operator ? '/operator' : '/new-organization' });
  },
});

/** The parent of all routes that belong to one organization. */
const anOrganizations = createRoute({
  getParentRoute: () => signedIn,
  id: 'organization',
  component: Outlet,
  beforeLoad: ({ params }) => checkOrganization(params),
});

/**
 * Throws `notFound()` unless the parameter is the id of an organization, because it becomes part of
 * the paths of API calls.
 */
function checkOrganization(params: object): void {
  const { organization } = params as { organization?: string };
  if (!/^org_[0-9a-z]{26}$/.test(organization ?? '')) throw notFound();
}

const overview = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.overview.path,
  component: guarded('overview', () => import('./pages/overview/overview-page.tsx')),
});
const playground = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.playground.path,
  validateSearch: playgroundSearch,
  component: guarded('playground', () => import('./pages/playground/playground-page.tsx')),
});
const models = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.models.path,
  component: guarded('models', () => import('./pages/models/models-page.tsx')),
});
const keys = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.keys.path,
  component: guarded('keys', () => import('./pages/keys/keys-page.tsx')),
});
const usage = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.usage.path,
  validateSearch: usageSearch,
  component: guarded('usage', () => import('./pages/usage/usage-page.tsx')),
});
const request = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.request.path,
  component: guarded('request', () => import('./pages/usage/request-page.tsx')),
});
const billing = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.billing.path,
  validateSearch: billingSearch,
  component: guarded('billing', () => import('./pages/billing/billing-page.tsx')),
});
const members = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.members.path,
  component: guarded('members', () => import('./pages/members/members-page.tsx')),
});
const settings = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.settings.path,
  component: guarded('settings', () => import('./pages/settings/settings-page.tsx')),
});
const audit = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.audit.path,
  component: guarded('audit', () => import('./pages/audit/audit-page.tsx')),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.account.path,
  component: guarded('account', () => import('./pages/account/account-page.tsx')),
});
const newOrganization = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.newOrganization.path,
  component: guarded('newOrganization', () => import('./pages/people/new-organization-page.tsx')),
});

const fleet = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.fleet.path,
  component: guarded('fleet', () => import('./pages/operator/fleet-page.tsx')),
});
const organizations = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.organizations.path,
  component: guarded('organizations', () => import('./pages/operator/organizations-page.tsx')),
});
const anOrganization = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.anOrganization.path,
  beforeLoad: ({ params }) => checkOrganization(params),
  component: guarded('anOrganization', () => import('./pages/operator/organization-page.tsx')),
});
const people = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.people.path,
  component: guarded('people', () => import('./pages/operator/people-page.tsx')),
});
const routers = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.routers.path,
  component: guarded('routers', () => import('./pages/operator/routers-page.tsx')),
});
const platformAudit = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.platformAudit.path,
  component: guarded('platformAudit', () => import('./pages/operator/audit-page.tsx')),
});

const tree = root.addChildren([
  signIn,
  signUp,
  reset,
  confirm,
  invitation,
  signedIn.addChildren([
    home,
    account,
    newOrganization,
    fleet,
    organizations,
    anOrganization,
    people,
    routers,
    platformAudit,
    anOrganizations.addChildren([
      overview,
      playground,
      models,
      keys,
      usage,
      request,
      billing,
      members,
      settings,
      audit,
    ]),
  ]),
]);

export function makeRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    defaultErrorComponent: Broken,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
