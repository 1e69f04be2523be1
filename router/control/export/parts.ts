/**
 * The tables and columns of an organization's export. It never contains the digest of a key, token
 * or link, or the secret of a webhook.
 */
import { type RawBuilder, sql } from 'kysely';

/** How the values of a column are shown. */
export type Kind = 'text' | 'usd' | 'instant' | 'count' | 'json';

export type Part = Readonly<{
  from: RawBuilder<unknown>;
  /** The column by which rows are ordered and paged. It is unique within an organization. */
  cursor: RawBuilder<unknown>;
  cursorKind: 'text' | 'count';
  /** The order of rows, and which of them are after a cursor, where their index has several columns. */
  seek: Readonly<{
    order: RawBuilder<unknown>;
    after: (cursor: string) => RawBuilder<unknown>;
  }> | null;
  organization: RawBuilder<unknown>;
  /** Null when the rows have no creation time. */
  created: RawBuilder<unknown> | null;
  columns: Readonly<Record<string, readonly [kind: Kind, value: RawBuilder<unknown>]>>;
}>;

const LIMITS = ['requests_per_minute', 'tokens_per_minute', 'concurrent_requests'] as const;

/** Columns that are exported under their own names. */
function own(table: string, kinds: Readonly<Record<string, Kind>>): Part['columns'] {
  return Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, [kind, sql.ref(`${table}.${name}`)]]),
  );
}

function part(
  table: string,
  columns: Part['columns'],
  more: Partial<Omit<Part, 'columns'>> = {},
): Part {
  return {
    from: sql.table(table),
    cursor: sql.ref(`${table}.id`),
    cursorKind: 'text',
    seek: null,
    organization: sql.ref(`${table}.organization`),
    created: sql.ref(`${table}.created`),
    columns,
    ...more,
  };
}

const limits = Object.fromEntries(LIMITS.map((name) => [name, 'count' as const]));

const COUNT_KEY = sql`refusal_counts.minute, refusal_counts.key, refusal_counts.code, refusal_counts.recorder`;

/** In the order of the export. */
export const PARTS: Readonly<Record<string, Part>> = {
  organization: part(
    'organizations',
    own('organizations', {
      id: 'text',
      name: 'text',
      region: 'text',
      status: 'text',
      billing: 'text',
      credit_limit: 'usd',
      ...limits,
      low_balance_threshold: 'usd',
      created: 'instant',
    }),
    { organization: sql.ref('organizations.id') },
  ),
  credit: part('accounts', own('accounts', { balance: 'usd', held: 'usd' }), {
    organization: sql.ref('accounts.id'),
    created: null,
  }),
  billing_details: part(
    'billing_details',
    own('billing_details', { name: 'text', address: 'text', tax_id: 'text' }),
    { cursor: sql.ref('billing_details.organization'), created: null },
  ),
  budget: part('budgets', own('budgets', { amount: 'usd' }), {
    cursor: sql.ref('budgets.organization'),
    created: null,
  }),
  member: part(
    'members',
    {
      ...own('members', { id: 'text', person: 'text', role: 'text' }),
      ...own('people', { name: 'text', email: 'text' }),
      ...own('members', { created: 'instant', left_at: 'instant' }),
      ...own('member_caps', { monthly_cap: 'usd', daily_cap: 'usd' }),
    },
    {
      // An erased person has neither a name nor an address.
      from: sql`members left join people on people.id = members.person and people.erased is null
        left join member_caps on member_caps.member = members.id`,
    },
  ),
  invitation: part(
    'invitations',
    own('invitations', {
      id: 'text',
      email: 'text',
      role: 'text',
      state: 'text',
      invited_by: 'text',
      created: 'instant',
      expires: 'instant',
    }),
  ),
  key: part(
    'keys',
    own('keys', {
      id: 'text',
      name: 'text',
      label: 'text',
      state: 'text',
      member: 'text',
      source: 'text',
      ...limits,
      monthly_cap: 'usd',
      daily_cap: 'usd',
      allowed_models: 'text',
      created: 'instant',
      expires: 'instant',
      revoked: 'instant',
      revoked_by: 'text',
      last_used: 'instant',
    }),
  ),
  token: part(
    'management_tokens',
    own('management_tokens', {
      id: 'text',
      name: 'text',
      role: 'text',
      created_by: 'text',
      created: 'instant',
      expires: 'instant',
      last_used: 'instant',
      revoked: 'instant',
    }),
  ),
  webhook: part(
    'webhook_endpoints',
    own('webhook_endpoints', {
      id: 'text',
      url: 'text',
      events: 'text',
      disabled: 'instant',
      created_by: 'text',
      created: 'instant',
    }),
  ),
  webhook_delivery: part(
    'webhook_deliveries',
    own('webhook_deliveries', {
      id: 'text',
      webhook: 'text',
      event: 'text',
      type: 'text',
      body: 'text',
      state: 'text',
      attempts: 'count',
      last_status: 'count',
      last_attempt: 'instant',
      created: 'instant',
    }),
  ),
  rate: part(
    'rates',
    {
      ...own('rates', { model: 'text' }),
      ...own('prices', { prompt: 'usd', completion: 'usd', cached: 'usd' }),
      ...own('rates', { created: 'instant' }),
    },
    {
      from: sql`rates join prices on prices.id = rates.price`,
      cursor: sql.ref('rates.model'),
    },
  ),
  transfer: part(
    'transfers',
    {
      ...own('transfers', { seq: 'count', id: 'text', kind: 'text' }),
      amount: [
        'usd',
        sql`case when transfers.credit like 'customer:%' then transfers.amount else -transfers.amount end`,
      ],
      // Not the operator who made an adjustment.
      reference: [
        'text',
        sql`case when transfers.reference like 'per_%' then '' else transfers.reference end`,
      ],
      ...own('transfers', { reason: 'text', created: 'instant' }),
    },
    { cursor: sql.ref('transfers.seq'), cursorKind: 'count' },
  ),
  usage: part(
    'usage',
    own('usage', {
      seq: 'count',
      request: 'text',
      key: 'text',
      member: 'text',
      source: 'text',
      completion_id: 'text',
      model: 'text',
      region: 'text',
      prompt_tokens: 'count',
      cached_tokens: 'count',
      cached_source: 'text',
      completion_tokens: 'count',
      reasoning_tokens: 'count',
      ttft_ms: 'count',
      duration_ms: 'count',
      finish_reason: 'text',
      status: 'count',
      error: 'text',
      cost: 'usd',
      outcome: 'text',
      transfer: 'text',
      body_ms: 'count',
      admitted_ms: 'count',
      picked_ms: 'count',
      waited_ms: 'count',
      failed_attempts: 'text',
      endpoint: 'text',
      streamed: 'count',
      max_tokens: 'count',
      created: 'instant',
    }),
    { cursor: sql.ref('usage.seq'), cursorKind: 'count' },
  ),
  refusal: part(
    'refusals',
    own('refusals', {
      request: 'text',
      key: 'text',
      region: 'text',
      endpoint: 'text',
      model: 'text',
      param: 'text',
      message: 'text',
      status: 'count',
      code: 'text',
      created: 'instant',
    }),
    { cursor: sql.ref('refusals.request') },
  ),
  refusal_count: part(
    'refusal_counts',
    {
      minute: ['instant', sql`refusal_counts.minute * 60000`],
      ...own('refusal_counts', { key: 'text', code: 'text', recorder: 'text', count: 'count' }),
    },
    {
      cursor: sql`(refusal_counts.minute || ' ' || refusal_counts.key || ' ' || refusal_counts.code || ' ' || refusal_counts.recorder)`,
      seek: {
        order: COUNT_KEY,
        after(cursor) {
          const [minute = '', key = '', code = '', recorder = ''] = cursor.split(' ');
          return sql`(${COUNT_KEY}) > (${BigInt(minute)}, ${key}, ${code}, ${recorder})`;
        },
      },
      created: sql`refusal_counts.minute * 60000`,
    },
  ),
  audit: part('audit', {
    ...own('audit', { id: 'text', actor_kind: 'text' }),
    // Customers must not see which operator acted, nor from which address.
    actor: ['text', unlessOperator('actor')],
    ...own('audit', { action: 'text', target: 'text', details: 'json', before: 'json' }),
    address: ['text', unlessOperator('address')],
    ...own('audit', { request: 'text', created: 'instant' }),
  }),
};

function unlessOperator(column: 'actor' | 'address'): RawBuilder<unknown> {
  return sql`case when audit.actor_kind = 'operator' then null else ${sql.ref(`audit.${column}`)} end`;
}
