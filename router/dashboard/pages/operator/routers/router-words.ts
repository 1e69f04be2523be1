import type { Router } from '../../../../../shared/api/routers.ts';
import type { RouterState } from '../../../../../shared/router-states.ts';

/** A router of an earlier version tells only whether it is dead. */
export function stateOf({ state, beating }: Router): RouterState {
  return state ?? (beating ? 'healthy' : 'offline');
}
