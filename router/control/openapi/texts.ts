/**
 * The prose of the OpenAPI document: the API as a whole, its tags, and its path and query
 * parameters.
 */
import { SERVICE_NAME } from '../../../shared/service-name.ts';

export const INFO = {
  title: `${SERVICE_NAME} management API`,
  version: '1',
  description: [
    'Organizations, members, keys, credit and usage. The dashboard and `penstock admin` are clients of',
    'this API.',
    '',
    '**Authentication.** A browser sends a session cookie. A script sends `Authorization: Bearer`',
    'with a management token (one organization, one role) or an operator token. A header takes',
    'precedence over a cookie. This API does not accept API keys, and the data plane does not accept',
    "tokens. A mutation with a cookie must come from the dashboard's own origin. An id of another",
    'organization gets the same response as one that does not exist.',
    '',
    '**Lists** are returned in pages. `limit` is the page size (1 to 1000), and `after` is the `next`',
    'of the previous page. On the last page, `next` is null and `has_more` is false.',
    '',
    '**Amounts** are exact decimal strings in USD with at most 12 decimals. Compute with decimals,',
    'not with floating-point numbers. **Timestamps** are ISO 8601 in UTC. Unknown fields and query',
    'parameters are refused.',
    '',
    '**Errors** have one shape, and the header `x-request-id` has the id of every request. A secret',
    'is only in the 201 response that creates it.',
  ].join('\n'),
} as const;

export const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-penstock-session',
    description:
      'The session of a person who has signed in. Without TLS, on loopback, it is called `penstock-session`.',
  },
  managementToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'penstock-mgmt-…',
    description: 'A token of one organization, with a role in that organization.',
  },
  operatorToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'penstock-op-…',
    description: 'A token of an operator of the platform.',
  },
} as const;

/** In display order. */
export const TAGS: Readonly<Record<string, string>> = {
  people: 'Sign-up, sign-in and accounts, and the list of people for operators.',
  operators: 'The people who run the platform.',
  organizations: 'Organizations: their name, region, limits and billing.',
  members: 'The members of an organization and their roles.',
  invitations: 'Invitations to an organization.',
  keys: 'API keys, with which applications call the data plane.',
  tokens: 'Management tokens, with which scripts call this API.',
  credit: 'The balance, the budget, transfers, the ledger by day, and adjustments by operators.',
  payments: 'Top-ups by hosted checkout, their receipts, and billing details.',
  invoices: 'Monthly invoices of organizations that do not prepay.',
  webhooks: 'Endpoints to which events of the organization are sent, and what was delivered.',
  usage: 'Requests, their tokens and their cost.',
  models:
    'The catalog: for anybody with list prices, figures and status, and with the rates of an organization.',
  incidents: 'Incidents that operators report on the status page.',
  rates: 'Prices agreed with one organization.',
  playground:
    'Short-lived keys for chats in the browser, and chats that people keep in their account.',
  audit: 'The audit log: who changed what, and from where.',
  agents: 'The agents on the hosts that serve models, and reports of their tokens and revenue.',
  workers: 'The engines that are connected to this router.',
  platform: 'The platform as a whole: money and tokens by day, top customers, and alarms.',
  routers: 'The routers of the installation.',
  jobs: 'Background jobs: emails, invoices, charges, refunds, erasures and deliveries of webhooks.',
};

/** Descriptions of query parameters that are path parameters elsewhere. They count before the next. */
export const QUERY_PARAMETERS: Readonly<Record<string, string>> = {
  agent: 'Only rows of this agent.',
  key: 'Only requests with this API key.',
  member: 'Only requests with the keys that this member created.',
  model: 'Only requests for this model.',
};

/** Descriptions of parameters whose schema has none. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  action: 'Only entries with this action, such as `key.create`, or this prefix, such as `key`.',
  actor: 'Only entries of this person or token.',
  after: 'The cursor of the page: `next` of the previous page.',
  agent: "An agent's id.",
  code: 'Only requests that failed with this error code.',
  delivery: "A delivery's id.",
  finish_reason: 'Only requests with this finish reason.',
  format: 'JSON in pages, or everything as CSV.',
  from: 'The first day (UTC).',
  group_by: 'The dimension by which the figures are grouped.',
  groups: 'The maximum number of groups. All other groups are combined into one.',
  incident: "An incident's id.",
  invitation: "An invitation's id.",
  invoice: "An invoice's id.",
  job: "A background job's id.",
  key: "An API key's id.",
  kind: 'Only rows of this kind.',
  limit: 'The maximum number of rows in a page.',
  member: "A member's id.",
  model: "A model, or in a path the second segment of the model's id.",
  month: 'A calendar month in UTC, such as `2026-11`.',
  namespace: "The first segment of the model's id.",
  organization: "The organization's id.",
  payment: "A payment's id.",
  person: "A person's id.",
  request: "A request's id.",
  router: "The id of a router's run.",
  search: 'Only rows that contain this text.',
  session: "A session's id.",
  passkey: 'The id of one of your passkeys.',
  source: 'Only requests from this source.',
  state: 'Only rows in this state.',
  status: 'Only rows with this status.',
  to: 'The last day (UTC).',
  token: "A management token's id.",
  chat: 'The id of one of your chats.',
  webhook: "A webhook endpoint's id.",
};
