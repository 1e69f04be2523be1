import type { PageName } from '../../pages.ts';
import type { BillingView } from '../../search.ts';

/** What people look for on a page, besides its title. */
export const KEYWORDS: Readonly<Partial<Record<PageName, readonly string[]>>> = {
  overview: ['home', 'dashboard'],
  playground: ['chat', 'try', 'prompt'],
  models: ['catalog', 'prices', 'pricing', 'context'],
  keys: ['tokens', 'secrets', 'credentials', 'rate limits', 'spend caps'],
  usage: ['costs', 'spend', 'tokens', 'statistics', 'analytics'],
  logs: ['requests', 'errors', 'failures', 'history'],
  billing: ['credit', 'balance', 'top up', 'auto-recharge', 'card', 'vat', 'tax'],
  members: ['team', 'users', 'people', 'invitations', 'roles'],
  webhooks: ['events', 'notifications', 'endpoints', 'callbacks'],
  settings: ['organization', 'region', 'management tokens', 'delete organization', 'export'],
  audit: ['changes', 'history', 'log', 'who'],
  account: ['profile', 'password', 'two-factor', 'passkey', 'email', 'sessions', 'notifications'],
  status: ['uptime', 'incidents', 'outages'],
  fleet: ['hosts', 'workers', 'agents', 'gpus', 'engines', 'catalog', 'enrol'],
  organizations: ['customers', 'tenants', 'adjust credit', 'limits', 'suspended'],
  payments: ['top-ups', 'recharges', 'refunds', 'disputes', 'declined cards'],
  invoices: ['bills', 'overdue'],
  people: ['accounts', 'users', 'lock', 'sign-in'],
  operators: ['administrators', 'staff', 'tokens'],
  platform: ['alarms', 'alerts', 'home', 'reliability'],
  routers: ['gateways', 'processes', 'versions'],
  jobs: ['background jobs', 'queue', 'failed jobs', 'retry'],
  incidents: ['outages', 'status page', 'maintenance'],
  runbooks: ['playbooks', 'alerts', 'what to do'],
  platformAudit: ['log', 'changes', 'history'],
};

/** The same for the views of the page Billing. The first one is the page itself. */
export const BILLING_KEYWORDS: Readonly<Record<Exclude<BillingView, 'credit'>, readonly string[]>> =
  {
    activity: ['ledger', 'transactions'],
    payments: ['receipt', 'receipts', 'invoice', 'invoices', 'refunds'],
    statements: ['month', 'accounting'],
    budget: ['alerts', 'forecast', 'limit'],
  };
