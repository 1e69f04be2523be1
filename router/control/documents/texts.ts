/**
 * The prose of the OpenAPI document: the API as a whole, its tags, and its path and query
 * parameters.
 */

export const INFO = {
  title: 'Penstock management API',
  version: '1',
  description: [
    'Organizations, members, keys, credit and usage. The dashboard and `penstock admin` are clients of this API.',
    '',
    '**Who asks.** A browser has a session cookie; a script sends `Authorization: Bearer` with a management token',
    '(one organization, one role) or an operator token. A header goes before a cookie. An API key opens nothing',
    'here, and no token opens anything on the data plane. A mutation with a cookie has to come from the',
    "dashboard's own origin. An id of another organization is answered as one that does not exist.",
    '',
    '**Lists** come in pages: `limit` (1 to 1000), and `after`, which is the `next` of the page before. `next` is',
    'null on the last page, where `has_more` is false.',
    '',
    '**Amounts** are exact decimal strings in USD with at most 12 decimals; compute with decimals, not with',
    'floating-point numbers. **Instants** are ISO 8601 in UTC. Unknown fields and query parameters are refused.',
    '',
    '**Errors** have one shape, and `x-request-id` names every request. Secrets are in the 201 that creates',
    'them, and never again.',
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
    description: 'A token of one organization, with a role in it.',
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
  people: 'Signing up, passwords and addresses; people as operators find them.',
  sessions: 'Signing in and out.',
  me: 'What is the own of whoever is signed in.',
  operators: 'Who runs the platform.',
  organizations: 'Organizations: their name, region, limits and billing.',
  members: 'Who belongs to an organization, and as what.',
  invitations: 'Asking somebody into an organization.',
  keys: 'API keys: what applications call the data plane with.',
  tokens: 'Management tokens: what scripts call this API with.',
  credit: 'Balance, transfers, and the adjustments of operators.',
  payments: 'Top-ups by hosted checkout, and their receipts.',
  recharge: 'Automatic top-ups below a threshold.',
  invoices: 'Monthly invoices of organizations that do not prepay.',
  usage: 'What was asked for, and what it cost.',
  models: 'The catalog, with the rates that the organization is billed.',
  rates: 'Prices agreed with one organization.',
  playground: 'Short-lived keys for chats in the browser.',
  audit: 'Who changed what, from where.',
  agents: 'The hosts that serve models, and what they did.',
  workers: 'The engines that have a link to this router.',
  routers: 'The routers that run.',
  catalog: 'The catalog in force.',
  webhooks: 'What payment providers tell.',
};

/** Descriptions of parameters whose schema has none. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  action: 'Only what is called so, as `key.create`.',
  actor: 'Only what this person or token did.',
  after: 'Where the page begins: `next` of the page before.',
  agent: "An agent's id.",
  bucket: 'The length of one step of time.',
  end: 'Until this instant, which is not part of it.',
  finish_reason: 'Only answers that ended so.',
  format: 'JSON in pages, or everything as CSV.',
  from: 'The first day (UTC).',
  group_by: 'What the figures are told apart by.',
  groups: 'How many groups are told apart at most; the others are one.',
  invitation: "An invitation's id.",
  invoice: "An invoice's id.",
  key: "An API key's id.",
  limit: 'How many rows a page has at most.',
  member: "A member's id.",
  model: "A model, or in a path the second segment of the model's id.",
  namespace: "The first segment of the model's id.",
  organization: "The organization's id.",
  payment: "A payment's id.",
  person: "A person's id.",
  request: "A request's id.",
  search: 'Only what has this in it.',
  session: "A session's id.",
  source: 'Only requests that came this way.',
  start: 'From this instant on.',
  status: 'Only what is in this state, or ended so.',
  timezone: 'Where days and months begin, as an IANA name.',
  to: 'The last day (UTC).',
  token: "A management token's id.",
  until: 'Until this instant, which is not part of it.',
};
