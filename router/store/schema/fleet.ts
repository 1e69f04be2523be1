/** The tables of agents and routers. */
import type { AgentId, IncarnationId } from '../../../shared/ids.ts';
import type { Region } from '../../../shared/wire/messages.ts';

export interface AgentRow {
  id: AgentId;
  name: string;
  region: Region;
  public_key: string | null;
  state: 'enrolling' | 'enrolled' | 'revoked';
  created: bigint;
  last_seen: bigint | null;
}

export interface JoinTokenRow {
  digest: string;
  agent: AgentId;
  expires: bigint;
  used: bigint | null;
  used_by_key: string | null;
}

/** What every router has to have in common. */
export interface FleetSettingRow {
  name: string;
  /** JSON; of a secret, its fingerprint. */
  value: string;
}

/** One row: the latest time at which a router was running, by the store's clock. */
export interface FleetTimeRow {
  only: bigint;
  seen: bigint;
}

/** A life of a router process; `beat` counts up, and DEAD_BEAT says that a peer has declared it dead. */
export interface IncarnationRow {
  id: IncarnationId;
  beat: bigint;
  url: string | null;
  /** Its listeners' regions, separated by commas. */
  regions: string;
  started: bigint;
}
