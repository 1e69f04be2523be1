import type { Router } from '../../../../../shared/api/routers.ts';
import type { RouterState } from '../../../../../shared/router-states.ts';

/** A router of an earlier version tells only whether it is dead. */
export function stateOf({ state, beating }: Router): RouterState {
  return state ?? (beating ? 'healthy' : 'offline');
}

const REPORTING: readonly RouterState[] = ['healthy', 'draining'];

/** The time of the last report of a router that does not report any more. Null: its figures are of now. */
export function reportedLast(router: Router): string | null {
  return REPORTING.includes(stateOf(router)) ? null : (router.reported ?? null);
}
