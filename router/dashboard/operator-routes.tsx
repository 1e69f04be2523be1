/** The routes of the operators' pages. */
import { createRoute, redirect } from '@tanstack/react-router';
import { guarded, signedIn, signedInPage } from './base-routes.tsx';
import { PAGES } from './pages.ts';
import { checkId, checkOrganization } from './route-ids.ts';
import {
  fleetSearch,
  historySearch,
  incidentsSearch,
  invoicesSearch,
  jobsSearch,
  paymentsSearch,
  organizationSearch,
  organizationsSearch,
  peopleSearch,
  routerSearch,
  routersSearch,
  runbooksSearch,
  platformSearch,
} from './operator-search.ts';
import { auditSearch } from './search.ts';

const platform = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.platform.path,
  validateSearch: platformSearch,
  component: guarded('platform', () => import('./pages/operator/platform/platform-page.tsx')),
});
const fleet = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.fleet.path,
  validateSearch: fleetSearch,
  component: guarded('fleet', () => import('./pages/operator/fleet/fleet-page.tsx')),
});
const host = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.host.path,
  validateSearch: historySearch,
  beforeLoad: ({ params }) => checkId('agent', params.agent),
  component: guarded('host', () => import('./pages/operator/fleet/host-page.tsx')),
});
const organizations = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.organizations.path,
  validateSearch: organizationsSearch,
  component: guarded(
    'organizations',
    () => import('./pages/operator/organizations/organizations-page.tsx'),
  ),
});
const newCustomer = signedInPage(
  'newCustomer',
  () => import('./pages/people/new-organization-page.tsx'),
);
const anOrganization = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.anOrganization.path,
  validateSearch: organizationSearch,
  beforeLoad: ({ params }) => checkOrganization(params),
  component: guarded(
    'anOrganization',
    () => import('./pages/operator/organizations/organization-page.tsx'),
  ),
});
const payments = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.payments.path,
  validateSearch: paymentsSearch,
  component: guarded('payments', () => import('./pages/operator/payments/payments-page.tsx')),
});
const invoices = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.invoices.path,
  validateSearch: invoicesSearch,
  component: guarded('invoices', () => import('./pages/operator/invoices/invoices-page.tsx')),
});
const invoice = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.invoice.path,
  beforeLoad: ({ params }) => checkId('invoice', params.invoice),
  component: guarded('invoice', () => import('./pages/operator/invoices/invoice-page.tsx')),
});
const people = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.people.path,
  validateSearch: peopleSearch,
  component: guarded('people', () => import('./pages/operator/people/people-page.tsx')),
});
const person = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.person.path,
  beforeLoad: ({ params }) => checkId('person', params.person),
  component: guarded('person', () => import('./pages/operator/people/person-page.tsx')),
});
const operators = signedInPage(
  'operators',
  () => import('./pages/operator/operators/operators-page.tsx'),
);
const routers = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.routers.path,
  validateSearch: routersSearch,
  component: guarded('routers', () => import('./pages/operator/routers/routers-page.tsx')),
});
const router = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.router.path,
  validateSearch: routerSearch,
  beforeLoad: ({ params }) => checkId('router', params.router),
  component: guarded('router', () => import('./pages/operator/routers/router-page.tsx')),
});
const jobs = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.jobs.path,
  validateSearch: jobsSearch,
  component: guarded('jobs', () => import('./pages/operator/jobs/jobs-page.tsx')),
});
const job = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.job.path,
  beforeLoad: ({ params }) => checkId('job', params.job),
  component: guarded('job', () => import('./pages/operator/jobs/job-page.tsx')),
});
const incidents = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.incidents.path,
  validateSearch: incidentsSearch,
  component: guarded('incidents', () => import('./pages/operator/incidents/incidents-page.tsx')),
});
const runbooks = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.runbooks.path,
  validateSearch: runbooksSearch,
  beforeLoad: ({ location: { hash: runbook } }) => {
    // All runbooks were once one page. Older addresses name its sections.
    if (!/^penstock\w+$/.test(runbook)) return;
    throw redirect({ to: PAGES.runbook.path, params: { runbook }, replace: true });
  },
  component: guarded('runbooks', () => import('./pages/operator/runbooks/runbooks-page.tsx')),
});
const runbook = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.runbook.path,
  beforeLoad: ({ params }) => checkId('runbook', params.runbook),
  component: guarded('runbook', () => import('./pages/operator/runbooks/runbook-page.tsx')),
});
const document = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.document.path,
  component: guarded('document', () => import('./pages/operator/runbooks/document-page.tsx')),
});
const platformAudit = createRoute({
  getParentRoute: () => signedIn,
  path: PAGES.platformAudit.path,
  validateSearch: auditSearch,
  component: guarded('platformAudit', () => import('./pages/audit/platform-audit-page.tsx')),
});

export const OPERATOR_ROUTES = [
  platform,
  fleet,
  host,
  organizations,
  newCustomer,
  anOrganization,
  payments,
  invoices,
  invoice,
  people,
  person,
  operators,
  routers,
  router,
  jobs,
  job,
  incidents,
  runbooks,
  runbook,
  document,
  platformAudit,
] as const;
