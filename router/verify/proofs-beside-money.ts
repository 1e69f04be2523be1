/** The part of the list in `proofs.ts` with the tables that no sum of money depends on. */
import {
  CHAT,
  HISTORY,
  INSTANT,
  NOTICE,
  PACE,
  PEOPLE,
  PUBLISHED,
  REFUSED,
  SETTING,
  type Proof,
} from './proof.ts';

const TIMES = { created: INSTANT, last_attempt: INSTANT, next_attempt: INSTANT, ended: INSTANT };

const PEOPLE_TABLES = {
  agents: { created: INSTANT, last_seen: INSTANT },
  audit: { created: INSTANT },
  invitations: { created: INSTANT, expires: INSTANT },
  join_tokens: { expires: INSTANT, used: INSTANT },
  links: { created: INSTANT, expires: INSTANT, used: INSTANT },
  management_tokens: { created: INSTANT, expires: INSTANT, last_used: INSTANT, revoked: INSTANT },
  members: { created: INSTANT, left_at: INSTANT, last_active: INSTANT },
  operator_tokens: { created: INSTANT, last_used: INSTANT },
  operator_changes: { begun: INSTANT, ends: INSTANT },
  people: {
    operator: PEOPLE,
    created: INSTANT,
    email_confirmed: INSTANT,
    totp_step: PEOPLE,
    erased: INSTANT,
    locked_at: INSTANT,
    last_sign_in: INSTANT,
    operator_since: INSTANT,
  },
  passkeys: { counter: PEOPLE, created: INSTANT, last_used: INSTANT },
  recovery_codes: { used: INSTANT },
  sessions: {
    former_until: INSTANT,
    rotate: PEOPLE,
    created: INSTANT,
    last_seen: INSTANT,
    expires: INSTANT,
  },
  throttles: { count: PEOPLE, since: INSTANT },
  used_challenges: { expires: INSTANT },
} as const;

const REFUSAL_TABLES = {
  refusal_counts: { minute: INSTANT, count: REFUSED },
  refusals: { status: REFUSED, created: INSTANT },
} as const;

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
  router_periods: {
    start: INSTANT,
    covers_ms: HISTORY,
    requests: HISTORY,
    errors: HISTORY,
    tokens: HISTORY,
    first_tokens: HISTORY,
    first_token_ms: HISTORY,
    store_ms: HISTORY,
    memory_bytes: HISTORY,
    loop_delay_ms: HISTORY,
    running: HISTORY,
    first_token_times: HISTORY,
  },
  router_runs: { pid: HISTORY, started: INSTANT, reported: INSTANT, ended: INSTANT },
  host_events: { count: HISTORY, created: INSTANT, last: INSTANT },
  alarms: { affected: HISTORY, began: INSTANT, seen: INSTANT, ended: INSTANT },
} as const;

const INCIDENT_TABLES = {
  incidents: { created: INSTANT, resolved: INSTANT },
  incident_updates: { number: PUBLISHED, created: INSTANT },
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

/** By table, and then by column. */
export const NUMBERS_BESIDE_MONEY: Readonly<Record<string, Readonly<Record<string, Proof>>>> = {
  ...PEOPLE_TABLES,
  ...REFUSAL_TABLES,
  ...WEBHOOK_TABLES,
  ...HISTORY_TABLES,
  ...INCIDENT_TABLES,
  ...CHAT_TABLES,
};

/** By table. All tables of a kind have one reason. */
export const ROWS_BESIDE_MONEY: Readonly<Record<string, Proof>> = Object.fromEntries([
  ...allOf(PEOPLE_TABLES, PEOPLE),
  ...allOf(REFUSAL_TABLES, REFUSED),
  ...allOf(WEBHOOK_TABLES, NOTICE),
  ...allOf(HISTORY_TABLES, HISTORY),
  ...allOf(INCIDENT_TABLES, PUBLISHED),
  ...allOf(CHAT_TABLES, CHAT),
]);

function allOf(tables: object, proof: Proof): [table: string, Proof][] {
  return Object.keys(tables).map((table) => [table, proof]);
}
