/** The alarms of the platform, and when each began and ended. */
import type { AlarmId } from '../../../shared/ids.ts';

export interface AlarmTables {
  alarms: AlarmRow;
}

export interface AlarmRow {
  id: AlarmId;
  kind: string;
  /** What tells it from other alarms of its kind: a router, a task, a model; empty if nothing does. */
  subject: string;
  severity: 'urgent' | 'warning';
  /** As it was when it was about the most. */
  message: string;
  page: string;
  /** How many models, workers, hosts, routers or jobs it was about at most. */
  affected: bigint;
  /** JSON arrays. */
  models: string;
  regions: string;
  routers: string;
  began: bigint;
  /** When a router saw it last. */
  seen: bigint;
  /** Null while it is active. */
  ended: bigint | null;
}
