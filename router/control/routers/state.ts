/** The state of a router, by what it has reported. */
import type { RouterState } from '../../../shared/router-states.ts';
import { DECLARED_DEAD } from '../../ledger/operations.ts';
import type { IncarnationRow } from '../../store/schema/fleet.ts';
import { REPORT_MS } from './reports.ts';

/** A router that has missed three reports is not well, or cannot reach the store. */
const SILENT_MS = 3 * REPORT_MS;

type Reported = Pick<IncarnationRow, 'beat' | 'recent_at' | 'draining'>;

/** Of a router that has a row; the others have stopped. */
export function stateOf({ beat, recent_at: at, draining }: Reported, now: number): RouterState {
  if (beat === DECLARED_DEAD) return 'offline';
  // A router of an earlier version may not report.
  if (at !== null && Number(at) < now - SILENT_MS) return 'silent';
  return draining === 1n ? 'draining' : 'healthy';
}
