/**
 * The groups of the API browser. The document itself is grouped by tags (`texts.ts`), because
 * generated clients use their names.
 */
type Group = Readonly<{ name: string; description: string; tags: readonly string[] }>;

/** Operations that customers may call, in display order. Each tag is in at most one group. */
export const GROUPS: readonly Group[] = [
  { name: 'API keys', description: 'Create, change and revoke API keys.', tags: ['keys'] },
  {
    name: 'Members',
    description: 'See who belongs to the organization, change roles and invite people.',
    tags: ['members', 'invitations'],
  },
  { name: 'Usage', description: 'Read requests, their tokens and their cost.', tags: ['usage'] },
  {
    name: 'Credit and billing',
    description: 'Read the balance, set budgets, add credit and get receipts.',
    tags: ['credit', 'payments', 'invoices', 'rates'],
  },
  {
    name: 'Webhooks',
    description: 'Send events of the organization to your own endpoints.',
    tags: ['webhooks'],
  },
  {
    name: 'Organizations',
    description: 'Change the settings of an organization and read its audit log.',
    tags: ['organizations', 'audit'],
  },
  {
    name: 'Management tokens',
    description: 'Create and revoke the tokens with which scripts call this API.',
    tags: ['tokens'],
  },
  { name: 'Models', description: 'Read the catalog, prices and status.', tags: ['models'] },
  {
    name: 'Playground',
    description: 'Create short-lived keys for chats, and keep chats in your account.',
    tags: ['playground'],
  },
  { name: 'Account', description: 'Sign in, and change your own account.', tags: ['people'] },
];

/** Operations that only operators may call. The last group has all tags without another group. */
export const OPERATOR_GROUPS: readonly Group[] = [
  {
    name: 'Operators: hosts',
    description: 'Manage agents, engines and routers.',
    tags: ['agents', 'workers', 'routers'],
  },
  {
    name: 'Operators: platform',
    description: 'Read figures, jobs and the audit log of the platform, and report incidents.',
    tags: ['platform', 'jobs', 'incidents', 'audit'],
  },
  {
    name: 'Operators: customers',
    description: 'Manage organizations, people, prices and credit.',
    tags: [],
  },
];
