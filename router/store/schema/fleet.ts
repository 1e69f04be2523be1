/** The tables of agents and routers. */
import type { AgentId, IncarnationId } from '../../../shared/ids.ts';
import type { Region } from '../../../shared/region.ts';

export interface FleetTables {
  agents: AgentRow;
  join_tokens: JoinTokenRow;
  fleet_settings: FleetSettingRow;
  fleet_time: FleetTimeRow;
  incarnations: IncarnationRow;
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
}
