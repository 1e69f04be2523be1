/** Every page, with what it takes to see it: the navigation, the guard and the tests read this table. */
import type { Permission } from '../control/permissions.ts';

/** `person`: whoever is signed in. `operator`: of the platform. Else a permission in the organization. */
export type Needs = Permission | 'person' | 'operator';

type PageEntry = Readonly<{
  title: string;
  path: string;
  needs: Needs;
  /** Where the navigation has it; null: it is reached from elsewhere. */
  group: 'build' | 'organization' | 'operator' | null;
}>;

export const PAGES = {
  overview: page('Overview', '/$organization', 'read', 'build'),
  playground: page('Playground', '/$organization/playground', 'playground', 'build'),
  models: page('Models', '/$organization/models', 'read', 'build'),
  keys: page('API keys', '/$organization/keys', 'read', 'build'),
  usage: page('Usage', '/$organization/usage', 'read', 'build'),
  request: page('Request', '/$organization/usage/$request', 'read', null),
  billing: page('Billing', '/$organization/billing', 'read', 'organization'),
  members: page('Members', '/$organization/members', 'read', 'organization'),
  settings: page('Settings', '/$organization/settings', 'settings', 'organization'),
  audit: page('Audit log', '/$organization/audit', 'audit', 'organization'),
  account: page('Account', '/account', 'person', null),
  newOrganization: page('New organization', '/new-organization', 'person', null),
  fleet: page('Fleet', '/operator', 'operator', 'operator'),
  organizations: page('Organizations', '/operator/organizations', 'operator', 'operator'),
  anOrganization: page('Organization', '/operator/organizations/$organization', 'operator', null),
  people: page('People', '/operator/people', 'operator', 'operator'),
  routers: page('Routers', '/operator/routers', 'operator', 'operator'),
  platformAudit: page('Platform audit', '/operator/audit', 'operator', 'operator'),
} as const satisfies Record<string, PageEntry>;

/** Those of whoever is not signed in, letters lead there. */
export const VISITOR_PATHS = ['/sign-in', '/sign-up', '/reset', '/confirm', '/invitation'] as const;

export type PageName = keyof typeof PAGES;

function page<Path extends string>(
  title: string,
  path: Path,
  needs: Needs,
  group: PageEntry['group'],
): PageEntry & Readonly<{ path: Path }> {
  return { title, path, needs, group };
}
