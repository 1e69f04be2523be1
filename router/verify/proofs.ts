/**
 * Every number and every row of the store, with the check of `ledger verify` that proves it, or the
 * reason why it needs no proof. One test compares this list with the tables of both databases, so
 * that a new column must be listed here. Another test changes each number and deletes each row, and
 * `verify` must report it.
 */
import {
  ASKED,
  because,
  by,
  CHAT,
  FLEET,
  HISTORY,
  INSTANT,
  MEASURED,
  NOTICE,
  PACE,
  PEOPLE,
  PUBLISHED,
  RATE,
  REFUSED,
  SETTING,
  STAND_IN,
  WORK,
  type Proof,
} from './proof.ts';

const PEOPLE_TABLES = {
  agents: { created: INSTANT, last_seen: INSTANT },
  audit: { created: INSTANT },
  invitations: { created: INSTANT, expires: INSTANT },
  join_tokens: { expires: INSTANT, used: INSTANT },
  links: { created: INSTANT, expires: INSTANT, used: INSTANT },
  management_tokens: { created: INSTANT, expires: INSTANT, last_used: INSTANT, revoked: INSTANT },
  members: { created: INSTANT, left_at: INSTANT },
  operator_tokens: { created: INSTANT, last_used: INSTANT },
  people: {
    operator: PEOPLE,
    created: INSTANT,
    email_confirmed: INSTANT,
    totp_step: PEOPLE,
    erased: INSTANT,
  },
  recovery_codes: { used: INSTANT },
  sessions: {
    former_until: INSTANT,
    rotate: PEOPLE,
    created: INSTANT,
    last_seen: INSTANT,
    expires: INSTANT,
  },
  throttles: { count: PEOPLE, since: INSTANT },
} as const;

const MONEY_TABLES = {
  organizations: {
    created: INSTANT,
    requests_per_minute: SETTING,
    tokens_per_minute: SETTING,
    concurrent_requests: SETTING,
    credit_limit: by('accounts'),
    deleted: INSTANT,
    low_balance_threshold: SETTING,
    low_balance_noted: INSTANT,
  },
  accounts: {
    balance: by('accounts'),
    held: by('accounts'),
    reserve: by('accounts'),
    open: by('accounts'),
    floor: by('accounts'),
    auth_epoch: because('only its changes matter: they make routers look up cached keys again'),
    transfer_seq: by('accounts'),
    usage_seq: by('accounts'),
    capped_members: by('spending'),
  },
  holds: { amount: by('accounts'), slice: by('accounts'), tokens: RATE, created: INSTANT },
  meters: {
    month: by('meters'),
    spent: by('meters'),
    held: by('meters'),
    open: by('meters'),
    day_from: INSTANT,
    before_day: by('spending'),
  },
  member_caps: {
    monthly_cap: SETTING,
    daily_cap: SETTING,
    month: by('spending'),
    spent: by('spending'),
    day_from: INSTANT,
    before_day: by('spending'),
  },
  windows: { slot: RATE },
  transfers: { seq: by('accounts'), amount: by('accounts'), created: INSTANT },
  prices: {
    prompt: by('keys'),
    completion: by('keys'),
    cached: by('keys'),
    created: INSTANT,
  },
  rates: { created: INSTANT },
  usage: {
    seq: by('accounts'),
    prompt_tokens: by('usage'),
    cached_tokens: by('usage'),
    completion_tokens: by('usage'),
    reasoning_tokens: by('rollups'),
    ttft_ms: MEASURED,
    duration_ms: MEASURED,
    status: MEASURED,
    cost: by('usage'),
    created: INSTANT,
  },
  forgotten_usage: {
    seq: by('accounts'),
    until: because('an instant: the rollups of the days up to it can no longer be proven'),
    transfer_seq: by('forgotten'),
    charges: by('forgotten'),
    charged_high: by('forgotten'),
    charged_low: by('forgotten'),
    reversals: by('forgotten'),
    reversed_high: by('forgotten'),
    reversed_low: by('forgotten'),
  },
  keys: {
    created: INSTANT,
    expires: INSTANT,
    last_used: INSTANT,
    monthly_cap: SETTING,
    daily_cap: SETTING,
    requests_per_minute: SETTING,
    tokens_per_minute: SETTING,
    concurrent_requests: SETTING,
  },
  jobs: { attempts: PACE, run_at: INSTANT, created: INSTANT, ended: INSTANT },
  incarnations: { beat: FLEET, started: INSTANT },
  fleet_settings: {},
  fleet_time: { only: FLEET, seen: INSTANT },
  host_events: { count: HISTORY, created: INSTANT, last: INSTANT },
  schema_state: { only: FLEET },
} as const;

const BILLING_TABLES = {
  budgets: { amount: SETTING, noted_month: NOTICE, noted_percent: NOTICE },
  payment_events: { created: INSTANT },
  payments: {
    amount: ASKED,
    keep_method: SETTING,
    paid: by('payments'),
    refunded: by('payments'),
    disputed: by('payments'),
    receipt: by('payments'),
    receipt_number: by('payments'),
    look_at: INSTANT,
    charge_asked: INSTANT,
    asks: PACE,
    created: INSTANT,
    ended: INSTANT,
  },
  refunds: {
    amount: by('payments'),
    look_at: INSTANT,
    asked: INSTANT,
    asks: PACE,
    created: INSTANT,
    ended: INSTANT,
  },
  idempotency_keys: { created: INSTANT },
  welcomes: { created: INSTANT },
  welcome_claims: { created: INSTANT },
  recharges: {
    enabled: SETTING,
    threshold: SETTING,
    amount: SETTING,
    monthly_cap: SETTING,
    failures: PACE,
    paused: INSTANT,
    started: INSTANT,
    waits_until: INSTANT,
  },
  invoicing: {
    terms_days: SETTING,
    seq: by('stretches'),
    balance: by('stretches'),
    month: by('stretches'),
  },
  invoicing_stretches: { from_seq: by('stretches'), to_seq: by('stretches') },
  invoices: {
    number: by('invoices'),
    month: by('invoices'),
    from_seq: by('stretches'),
    to_seq: by('stretches'),
    total: by('invoices'),
    brought_forward: by('invoices'),
    amount_due: by('invoices'),
    terms_days: by('invoices'),
    due: by('invoices'),
    created: by('invoices'),
    ended: INSTANT,
    void_after: by('invoices'),
  },
  invoice_lines: {
    position: by('invoices'),
    count: by('invoices'),
    prompt_tokens: by('invoices'),
    cached_tokens: by('invoices'),
    completion_tokens: by('invoices'),
    amount: by('invoices'),
  },
  sandbox_checkouts: { amount: STAND_IN, keep_method: STAND_IN, expires: STAND_IN },
  sandbox_charges: { amount: STAND_IN },
  sandbox_refunds: { amount: STAND_IN },
} as const;

const REFUSAL_TABLES = {
  refusal_counts: { minute: INSTANT, count: REFUSED },
  refusals: { status: REFUSED, created: INSTANT },
} as const;

const ROLLUP_TABLES = {
  usage_folds: {
    folded_seq: by('rollups'),
    version: because('only its changes matter: they keep one fold from overwriting another'),
  },
  usage_series: { id: by('rollups'), shape: by('rollups') },
  usage_rollups: {
    level: by('rollups'),
    chunk: by('rollups'),
    series: by('rollups'),
    // Counts and amounts are proven; the spread of latencies is not, nor are missing minutes and
    // hours, which are deleted after a time.
    cells: by('rollups'),
  },
  usage_reversals: {
    status: because('how a request ended before its charge was reversed: the next fold needs it'),
    cost: by('rollups'),
  },
} as const;

const LEDGER_DAY_TABLES = {
  ledger_folds: { folded_seq: by('ledger-days') },
  ledger_days: {
    day: by('ledger-days'),
    transfers: by('ledger-days'),
    change_high: by('ledger-days'),
    change_low: by('ledger-days'),
    first_seq: by('ledger-days'),
    last_seq: by('ledger-days'),
  },
} as const;

const TIMES = { created: INSTANT, last_attempt: INSTANT, next_attempt: INSTANT, ended: INSTANT };

const WEBHOOK_TABLES = {
  webhook_endpoints: {
    active: SETTING,
    former_until: INSTANT,
    disabled: INSTANT,
    failing_since: INSTANT,
    created: INSTANT,
    turn: INSTANT,
  },
  webhook_deliveries: { attempts: PACE, round: PACE, last_status: NOTICE, ...TIMES },
  exhausted_credit: { noted: INSTANT },
} as const;

const HISTORY_TABLES = {
  history_series: { id: HISTORY, seen: INSTANT },
  history_cells: { level: HISTORY, chunk: HISTORY, series: HISTORY, cells: HISTORY },
  history_batches: { number: HISTORY, written: INSTANT },
} as const;

const CHAT_TABLES = {
  chats: {
    version: CHAT,
    bytes: CHAT,
    title: CHAT,
    contents: CHAT,
    created: INSTANT,
    changed: INSTANT,
  },
} as const;

const INCIDENT_TABLES = {
  incidents: { created: INSTANT, resolved: INSTANT },
  incident_updates: { number: PUBLISHED, created: INSTANT },
} as const;

export const NUMBERS: Readonly<Record<string, Readonly<Record<string, Proof>>>> = {
  ...PEOPLE_TABLES,
  ...MONEY_TABLES,
  ...BILLING_TABLES,
  ...ROLLUP_TABLES,
  ...LEDGER_DAY_TABLES,
  ...REFUSAL_TABLES,
  ...WEBHOOK_TABLES,
  ...HISTORY_TABLES,
  ...INCIDENT_TABLES,
  ...CHAT_TABLES,
};

/** The check that finds a missing row. */
export const ROWS: Readonly<Record<string, Proof>> = {
  ...Object.fromEntries(Object.keys(PEOPLE_TABLES).map((table) => [table, PEOPLE])),
  ...Object.fromEntries(Object.keys(REFUSAL_TABLES).map((table) => [table, REFUSED])),
  ...Object.fromEntries(Object.keys(WEBHOOK_TABLES).map((table) => [table, NOTICE])),
  ...Object.fromEntries(Object.keys(HISTORY_TABLES).map((table) => [table, HISTORY])),
  ...Object.fromEntries(Object.keys(INCIDENT_TABLES).map((table) => [table, PUBLISHED])),
  ...Object.fromEntries(Object.keys(CHAT_TABLES).map((table) => [table, CHAT])),
  sandbox_methods: STAND_IN,
  sandbox_checkouts: STAND_IN,
  sandbox_charges: STAND_IN,
  sandbox_refunds: STAND_IN,
  organizations: by('accounts'),
  accounts: by('accounts'),
  holds: by('accounts'),
  meters: by('meters'),
  member_caps: by('spending'),
  windows: RATE,
  transfers: by('accounts'),
  prices: because(
    'found missing if anything was charged, held or agreed at it; otherwise nothing refers to it',
  ),
  rates: because(
    'an agreement that ended leaves no row either: the audit log records who ended it',
  ),
  usage: by('accounts'),
  forgotten_usage: by('accounts'),
  keys: because('it decides who may send requests: charges name their key, and stay'),
  jobs: WORK,
  incarnations: because('found missing if it has holds; otherwise it has ended'),
  fleet_settings: FLEET,
  fleet_time: FLEET,
  host_events: HISTORY,
  schema_state: FLEET,
  idempotency_keys: because(
    'a repeat that is recognized: the money that was moved has transfers, and a claim names a charge',
  ),
  welcomes: because('it prevents a second welcome credit: the first one has its transfer'),
  welcome_claims: because('a credit that may be given: when it is given, it has a transfer'),
  payment_events: because('found missing if it moved money; otherwise it changed no sum'),
  payments: because('found missing if money was paid; otherwise no sum includes it'),
  budgets: SETTING,
  billing_details: because('the buyer on documents to come: no sum includes it'),
  payment_customers: because("a provider's name for an organization: no sum includes it"),
  refunds: by('payments'),
  recharges: SETTING,
  invoicing: by('stretches'),
  invoicing_stretches: by('stretches'),
  invoices: by('invoices'),
  invoice_lines: by('invoices'),
  usage_folds: by('rollups'),
  usage_series: by('rollups'),
  usage_rollups: because(
    'found missing for days and months; minutes and hours are deleted after a time',
  ),
  // Found for rows that are folded; any other row is read as it is when it is folded.
  usage_reversals: by('rollups'),
  ledger_folds: by('ledger-days'),
  ledger_days: by('ledger-days'),
};
