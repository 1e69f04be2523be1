/** Incidents that operators write, and their updates. */
import type { INCIDENT_STATES } from '../../../shared/incidents.ts';
import type { IncidentId } from '../../../shared/ids.ts';

export interface IncidentTables {
  incidents: IncidentRow;
  incident_updates: IncidentUpdateRow;
}

export type IncidentState = (typeof INCIDENT_STATES)[number];

export interface IncidentRow {
  id: IncidentId;
  title: string;
  state: IncidentState;
  /** JSON arrays; empty: all models, all regions. */
  models: string;
  regions: string;
  /** When it began, which may be before its first update was written. */
  created: bigint;
  /** Null while it is not resolved. */
  resolved: bigint | null;
}

export interface IncidentUpdateRow {
  incident: IncidentId;
  /** From 1. */
  number: bigint;
  state: IncidentState;
  message: string;
  created: bigint;
}
