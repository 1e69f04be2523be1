/**
 * Every page and the permission that it needs. The navigation, the guard and the tests read this
 * table.
 */
import type { Permission } from '../control/permissions.ts';

/**
 * `visitor`: anyone, signed in or not. `person`: anyone who is signed in. `operator`: an operator of
 * the platform. Any other value is a permission in the organization.
 */
export type Needs = Permission | 'visitor' | 'person' | 'operator';

type PageEntry = Readonly<{
  title: string;
  path: string;
  needs: Needs;
  /** The page's group in the navigation; null when only other pages link to it. */
  group: 'build' | 'organization' | 'operator' | null;
}>;

/** Whether an address is that of a page for operators. */
export function isOperatorPath(path: string): boolean {
  return /^\/operator(\/|$)/.test(path);
}

export const PAGES = {
  overview: page('Overview', '/$organization', 'read', 'build'),
  playground: page('Playground', '/$organization/playground', 'playground', 'build'),
  models: page('Models', '/catalog', 'visitor', 'build'),
  keys: page('API keys', '/$organization/keys', 'read', 'build'),
  key: page('API key', '/$organization/keys/$key', 'read', null),
  usage: page('Usage', '/$organization/usage', 'read', 'build'),
  logs: page('Logs', '/$organization/logs', 'read', 'build'),
  request: page('Request', '/$organization/logs/$request', 'read', null),
  docs: page('Docs', '/docs', 'visitor', 'build'),
  apiReference: page('Management API', '/docs/api', 'visitor', null),
  status: page('Status', '/status', 'visitor', 'build'),
  billing: page('Billing', '/$organization/billing', 'read', 'organization'),
  members: page('Members', '/$organization/members', 'read', 'organization'),
  webhooks: page('Webhooks', '/$organization/webhooks', 'billing', 'organization'),
  webhook: page('Webhook endpoint', '/$organization/webhooks/$webhook', 'billing', null),
  settings: page('Settings', '/$organization/settings', 'settings', 'organization'),
  audit: page('Audit log', '/$organization/audit', 'audit', 'organization'),
  account: page('Account', '/account', 'person', null),
  newOrganization: page('New organization', '/new-organization', 'person', null),
  platform: page('Platform', '/operator', 'operator', 'operator'),
  fleet: page('Fleet', '/operator/fleet', 'operator', 'operator'),
  host: page('Host', '/operator/hosts/$agent', 'operator', null),
  organizations: page('Organizations', '/operator/organizations', 'operator', 'operator'),
  newCustomer: page('New organization', '/operator/organizations/new', 'operator', null),
  anOrganization: page('Organization', '/operator/organizations/$organization', 'operator', null),
  payments: page('Payments', '/operator/payments', 'operator', 'operator'),
  invoices: page('Invoices', '/operator/invoices', 'operator', 'operator'),
  invoice: page('Invoice', '/operator/invoices/$invoice', 'operator', null),
  people: page('People', '/operator/people', 'operator', 'operator'),
  person: page('Person', '/operator/people/$person', 'operator', null),
  operators: page('Operators', '/operator/operators', 'operator', 'operator'),
  routers: page('Routers', '/operator/routers', 'operator', 'operator'),
  router: page('Router', '/operator/routers/$router', 'operator', null),
  jobs: page('Jobs', '/operator/jobs', 'operator', 'operator'),
  incidents: page('Incidents', '/operator/incidents', 'operator', 'operator'),
  job: page('Job', '/operator/jobs/$job', 'operator', null),
  runbooks: page('Runbooks', '/operator/runbooks', 'operator', 'operator'),
  runbook: page('Runbook', '/operator/runbooks/$runbook', 'operator', null),
  document: page('Document', '/operator/documents/$document', 'operator', null),
  platformAudit: page('Platform audit', '/operator/audit', 'operator', 'operator'),
} as const satisfies Record<string, PageEntry>;

/** Further pages for people who are not signed in. Links in emails lead to some of them. */
export const VISITOR_PATHS = [
  '/sign-in',
  '/sign-up',
  '/reset',
  '/confirm',
  '/invitation',
  '/catalog/$namespace/$name',
  '/playground',
  '/docs/api/$group',
] as const;

/** Addresses of earlier versions, which lead to those of today. Links and bookmarks have them. */
export const FORMER_PATHS = {
  request: '/$organization/usage/$request',
  models: '/$organization/models',
} as const;

export type PageName = keyof typeof PAGES;

function page<Path extends string>(
  title: string,
  path: Path,
  needs: Needs,
  group: PageEntry['group'],
): PageEntry & Readonly<{ path: Path }> {
  return { title, path, needs, group };
}
