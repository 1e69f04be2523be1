/** The routes of all pages. The code of a page is loaded when the page is first opened. */
import { createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { meQuery, visitorQuery } from './api/me.ts';
import { guarded, type Load, root, signedIn, signedInPage } from './base-routes.tsx';
import { OPERATOR_ROUTES } from './operator-routes.tsx';
import { FORMER_PATHS, PAGES, type PageName } from './pages.ts';
import { checkId } from './route-ids.ts';
import { keysSearch } from './keys-search.ts';
import {
  apiReferenceSearch,
  auditSearch,
  billingSearch,
  catalogSearch,
  logsSearch,
  modelSearch,
  playgroundSearch,
  signInSearch,
  usageSearch,
  webhookSearch,
} from './search.ts';
import { createsForCustomers, lastOrganization, rememberOrganization } from './session.tsx';
import { Unavailable } from './shell/unavailable.tsx';

/** A page for people who are not signed in. */
function visitorPage<Path extends string>(path: Path, load: Load) {
  return createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) });
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  component: lazyRouteComponent(() => import('./pages/people/sign-in-page.tsx')),
});
const signUp = visitorPage('/sign-up', () => import('./pages/people/sign-up-page.tsx'));
const reset = visitorPage('/reset', () => import('./pages/people/reset-page.tsx'));
const confirm = visitorPage('/confirm', () => import('./pages/people/confirm-page.tsx'));
const invitation = visitorPage('/invitation', () => import('./pages/people/invitation-page.tsx'));

const docs = visitorPage(PAGES.docs.path, () => import('./pages/docs/docs-page.tsx'));
const docsPage = visitorPage('/docs/$page', () => import('./pages/docs/docs-page.tsx'));

/** The reference of the management API, and the page of each group of its operations. */
function apiReferencePage<Path extends string>(path: Path) {
  return createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: apiReferenceSearch,
    component: lazyRouteComponent(() => import('./pages/api-reference/api-page.tsx')),
  });
}
const apiReference = apiReferencePage(PAGES.apiReference.path);
const apiGroup = apiReferencePage('/docs/api/$group');

const status = visitorPage(PAGES.status.path, () => import('./pages/status/status-page.tsx'));
const models = createRoute({
  getParentRoute: () => root,
  path: PAGES.models.path,
  validateSearch: catalogSearch,
  component: lazyRouteComponent(() => import('./pages/catalog/catalog-page.tsx')),
});
const model = createRoute({
  getParentRoute: () => root,
  path: '/catalog/$namespace/$name',
  validateSearch: modelSearch,
  component: lazyRouteComponent(() => import('./pages/catalog/model-page.tsx')),
});

/** The first page of strangers. People who are signed in go on to a page of their own. */
export const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/landing/landing-page.tsx')),
  errorComponent: Unavailable,
  beforeLoad: async ({ context: { queries } }) => {
    const known = queries.getQueryData(meQuery.queryKey);
    const visitor = known ?? queries.getQueryData(visitorQuery.queryKey);
    // Who was a stranger before may have signed in in another tab.
    const me = visitor ?? (await queries.fetchQuery({ ...visitorQuery, staleTime: 0 }));
    if (me === null) return;
    if (!known) queries.setQueryData(meQuery.queryKey, me);
    // The first start makes the operator a member of its organization, whose pages are a customer's.
    // Each replaces the address, because who goes back would only come here again.
    if (me.operator) throw redirect({ to: '/operator', replace: true });
    const last = lastOrganization(me);
    if (last) {
      throw redirect({ to: '/$organization', params: { organization: last.id }, replace: true });
    }
    throw redirect({ to: '/new-organization', replace: true });
  },
});

/** The parent of all routes that belong to one organization. */
const anOrganizations = createRoute({
  getParentRoute: () => signedIn,
  id: 'organization',
  component: Outlet,
});

/** A page of one organization. */
function organizationPage<Name extends PageName>(name: Name, load: Load) {
  const path: (typeof PAGES)[Name]['path'] = PAGES[name].path;
  return createRoute({
    getParentRoute: () => anOrganizations,
    path,
    component: guarded(name, load),
  });
}

const overview = organizationPage('overview', () => import('./pages/overview/overview-page.tsx'));
const playground = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.playground.path,
  validateSearch: playgroundSearch,
  component: guarded('playground', () => import('./pages/playground/playground-page.tsx')),
});
const formerModels = createRoute({
  getParentRoute: () => anOrganizations,
  path: FORMER_PATHS.models,
  beforeLoad: ({ params }) => {
    // The prices are those of the organization that was shown last.
    rememberOrganization(params.organization);
    throw redirect({ to: PAGES.models.path, replace: true });
  },
});
const keys = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.keys.path,
  validateSearch: keysSearch,
  component: guarded('keys', () => import('./pages/keys/keys-page.tsx')),
});
const key = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.key.path,
  beforeLoad: ({ params }) => checkId('key', params.key),
  component: guarded('key', () => import('./pages/keys/key-page.tsx')),
});
const usage = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.usage.path,
  validateSearch: usageSearch,
  component: guarded('usage', () => import('./pages/usage/usage-page.tsx')),
});
const logs = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.logs.path,
  validateSearch: logsSearch,
  component: guarded('logs', () => import('./pages/logs/logs-page.tsx')),
});
const request = organizationPage('request', () => import('./pages/usage/request-page.tsx'));
const formerRequest = createRoute({
  getParentRoute: () => anOrganizations,
  path: FORMER_PATHS.request,
  beforeLoad: ({ params }) => {
    throw redirect({ to: PAGES.request.path, params, replace: true });
  },
});
const billing = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.billing.path,
  validateSearch: billingSearch,
  component: guarded('billing', () => import('./pages/billing/billing-page.tsx')),
});
const members = organizationPage('members', () => import('./pages/members/members-page.tsx'));
const webhooks = organizationPage('webhooks', () => import('./pages/webhooks/webhooks-page.tsx'));
const webhook = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.webhook.path,
  validateSearch: webhookSearch,
  beforeLoad: ({ params }) => checkId('webhook', params.webhook),
  component: guarded('webhook', () => import('./pages/webhooks/webhook-page.tsx')),
});
const settings = organizationPage('settings', () => import('./pages/settings/settings-page.tsx'));
const audit = createRoute({
  getParentRoute: () => anOrganizations,
  path: PAGES.audit.path,
  validateSearch: auditSearch,
  component: guarded('audit', () => import('./pages/audit/audit-page.tsx')),
});

/** Leads to the playground of the organization that was shown last, for links of visitors. */
const someonesPlayground = createRoute({
  getParentRoute: () => signedIn,
  path: '/playground',
  validateSearch: playgroundSearch,
  beforeLoad: ({ context: { me }, search }) => {
    const last = lastOrganization(me);
    if (last === null) throw redirect({ to: '/new-organization', replace: true });
    const params = { organization: last.id };
    throw redirect({ to: PAGES.playground.path, params, search, replace: true });
  },
});

const account = signedInPage('account', () => import('./pages/account/account-page.tsx'));
const newOrganization = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.newOrganization.path,
  beforeLoad: ({ context: { me } }) => {
    // An administrator of the platform creates one for a customer, and stays among these pages.
    if (!createsForCustomers(me)) return;
    throw redirect({ to: PAGES.newCustomer.path, replace: true });
  },
  component: guarded('newOrganization', () => import('./pages/people/new-organization-page.tsx')),
});

export const routes = root.addChildren([
  signIn,
  signUp,
  reset,
  confirm,
  invitation,
  docs,
  docsPage,
  apiReference,
  apiGroup,
  status,
  models,
  model,
  home,
  signedIn.addChildren([
    account,
    newOrganization,
    someonesPlayground,
    ...OPERATOR_ROUTES,
    anOrganizations.addChildren([
      overview,
      playground,
      formerModels,
      keys,
      key,
      usage,
      logs,
      request,
      formerRequest,
      billing,
      members,
      webhooks,
      webhook,
      settings,
      audit,
    ]),
  ]),
]);
