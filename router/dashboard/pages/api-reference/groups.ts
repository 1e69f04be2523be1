/**
 * The groups of the API reference. The document itself is grouped by tags, because generated clients
 * use their names.
 */
export type Group = Readonly<{
  /** Its part of the address. */
  slug: string;
  name: string;
  description: string;
  tags: readonly string[];
}>;

/** Operations that customers may call, in display order. Each tag is in at most one group. */
export const GROUPS: readonly Group[] = [
  {
    slug: 'api-keys',
    name: 'API keys',
    description: 'Create, change and revoke API keys.',
    tags: ['keys'],
  },
  {
    slug: 'members',
    name: 'Members',
    description: 'See who belongs to the organization, change roles and invite people.',
    tags: ['members', 'invitations'],
  },
  {
    slug: 'usage',
    name: 'Usage',
    description: 'Read requests, their tokens and their cost.',
    tags: ['usage'],
  },
  {
    slug: 'billing',
    name: 'Credit and billing',
    description: 'Read the balance, set budgets, add credit and get receipts.',
    tags: ['credit', 'payments', 'invoices', 'rates'],
  },
  {
    slug: 'webhooks',
    name: 'Webhooks',
    description: 'Send events of the organization to your own endpoints.',
    tags: ['webhooks'],
  },
  {
    slug: 'organizations',
    name: 'Organizations',
    description: 'Change the settings of an organization and read its audit log.',
    tags: ['organizations', 'audit'],
  },
  {
    slug: 'management-tokens',
    name: 'Management tokens',
    description: 'Create and revoke the tokens with which scripts call this API.',
    tags: ['tokens'],
  },
  {
    slug: 'models',
    name: 'Models',
    description: 'Read the catalog, prices, status and open incidents.',
    tags: ['models', 'incidents'],
  },
  {
    slug: 'playground',
    name: 'Playground',
    description: 'Create short-lived keys for chats, and keep chats in your account.',
    tags: ['playground'],
  },
  {
    slug: 'account',
    name: 'Account',
    description: 'Sign in, and change your own account.',
    tags: ['people'],
  },
];

/** Operations that only operators may call. The last group has all tags without another group. */
export const OPERATOR_GROUPS: readonly Group[] = [
  {
    slug: 'operators-hosts',
    name: 'Operators: hosts',
    description: 'Manage agents, engines and routers.',
    tags: ['agents', 'workers', 'routers'],
  },
  {
    slug: 'operators-platform',
    name: 'Operators: figures and jobs',
    description: 'Read figures, jobs and the audit log of the platform, and report incidents.',
    tags: ['platform', 'jobs', 'incidents', 'audit'],
  },
  {
    slug: 'operators-customers',
    name: 'Operators: customers',
    description: 'Manage organizations, people, prices and credit.',
    tags: [],
  },
];

/** Returns the group of an operation. `permission`: who may call it, as the document names it. */
export function groupOf(tag: string | undefined, permission: string): Group {
  const groups = permission === 'operator' ? OPERATOR_GROUPS : GROUPS;
  const found = groups.find(({ tags }) => tag !== undefined && tags.includes(tag)) ?? groups.at(-1);
  if (!found) throw new Error('there are no groups');
  return found;
}
