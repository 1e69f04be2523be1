/** The tables of agents and routers. */
import type { HostAction } from '../../../shared/host-events.ts';
import type { AgentId, HostEventId, IncarnationId } from '../../../shared/ids.ts';
import type { Region } from '../../../shared/region.ts';

export interface FleetTables {
  agents: AgentRow;
  join_tokens: JoinTokenRow;
  fleet_settings: FleetSettingRow;
  fleet_time: FleetTimeRow;
  host_events: HostEventRow;
  incarnations: IncarnationRow;
  router_periods: RouterPeriodRow;
  router_runs: RouterRunRow;
  schema_state: SchemaStateRow;
}

export interface AgentRow {
  id: AgentId;
  name: string;
  region: Region;
  public_key: string | null;
  state: 'enrolling' | 'enrolled' | 'revoked';
  created: bigint;
  /** When a router last recorded that it is connected, which it does once a minute. */
  last_seen: bigint | null;
}

export interface JoinTokenRow {
  digest: string;
  agent: AgentId;
  expires: bigint;
  used: bigint | null;
  used_by_key: string | null;
}

/** A setting that all routers have to share. */
export interface FleetSettingRow {
  name: string;
  /** JSON; for a secret, its fingerprint. */
  value: string;
}

/** One row: the latest time at which a router was running, by the store's clock. */
export interface FleetTimeRow {
  only: bigint;
  seen: bigint;
}

/** One row (`schema-state.ts`). */
export interface SchemaStateRow {
  only: bigint;
  version: string;
  needs: string;
}

/** One run of a router process. `beat` counts heartbeats; DECLARED_DEAD: it was declared dead. */
export interface IncarnationRow {
  id: IncarnationId;
  beat: bigint;
  url: string | null;
  /** The regions of its listeners, separated by commas. */
  regions: string;
  started: bigint;
  /** Null: a router of version 0.1.0, which does not report it. */
  version: string | null;
  /**
   * The requests that ended in the minute before `recent_at`, and those of them with a status of
   * 5xx. Null: not reported yet, or by a router of an earlier version.
   */
  recent_requests: bigint | null;
  recent_errors: bigint | null;
  recent_at: bigint | null;
  /** Of the machine that the process runs on, and the process. Null: as above. */
  host: string | null;
  pid: bigint | null;
  /** The resident memory of the process. */
  memory_bytes: bigint | null;
  /** For how much of the last ten seconds its event loop was busy, in thousandths. */
  loop_permille: bigint | null;
  /** How long the store took for the report before. Null: it was the first. */
  store_ms: bigint | null;
  /** The agents that are connected to it. */
  agents: bigint | null;
  /** 1 while it drains, else 0. */
  draining: bigint | null;
  /** What it sees that may need an operator, as JSON (`noticed.ts`). */
  noticed: string | null;
  /** The completion tokens of the requests in `recent_requests`. */
  recent_tokens: bigint | null;
  /** The ids of some agents that are connected to it, as JSON (`hosts.ts`). */
  agent_ids: string | null;
}

/** What one run of a router process has served in five minutes (`periods.ts`). */
export interface RouterPeriodRow {
  router: IncarnationId;
  /** In ms since the epoch. */
  start: bigint;
  /** The time in which what follows came about. Null: a router of an earlier version. */
  covers_ms: bigint | null;
  requests: bigint;
  /** Requests with a status of 5xx. */
  errors: bigint;
  /** Completion tokens. */
  tokens: bigint;
  /** How many requests got their first token, and the sum of the times that they waited for it. */
  first_tokens: bigint;
  first_token_ms: bigint;
  /** The longest time that a report waited for the store. Null: it is not known yet. */
  store_ms: bigint | null;
  /** The most resident memory of its process at a report. Null, as below: an earlier version. */
  memory_bytes: bigint | null;
  /** By how much its event loop was late: the highest p99 of the ten seconds before a report. */
  loop_delay_ms: bigint | null;
  /** The most requests that held credit on it at a report. */
  running: bigint | null;
  /** The distribution of the times to first token. See control/routers/first-token-times.ts. */
  first_token_times: Uint8Array | null;
}

/** A run of a router that has reported, of the last week (`runs.ts`). The columns are as in its row. */
export interface RouterRunRow {
  router: IncarnationId;
  host: string | null;
  pid: bigint | null;
  url: string | null;
  regions: string;
  version: string | null;
  started: bigint;
  /** When it last reported. */
  reported: bigint;
  /** When it ended. Null: it has not, or a router of an earlier version has ended it. */
  ended: bigint | null;
  /** The incarnation that has ended it: itself, or the one that has declared it dead. */
  ended_by: IncarnationId | null;
}

/** What happened to an agent or to one of its workers, or a note on it (decision 0034). */
export interface HostEventRow {
  id: HostEventId;
  agent: AgentId;
  /** The name of the worker; empty when it happened to the agent. */
  worker: string;
  action: HostAction;
  /** A version, why a link ended, or the text of a note; or empty. */
  detail: string;
  /** Of a start: the version before, if it was another. */
  before: string | null;
  /** The incarnation of the router that has recorded it; null for notes. */
  router: string | null;
  /** Who has written the note. */
  actor: string | null;
  /** The same for the same event on all routers. Its own id if each router has one of its own. */
  mark: string;
  /** How often it happened in its minute. */
  count: bigint;
  created: bigint;
  /** When it happened last. */
  last: bigint;
}
