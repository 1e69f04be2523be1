/** The name and the state of a router, as its version tells them. */
import type { Router } from '../../../../../shared/api/routers.ts';
import type { RouterState } from '../../../../../shared/router-states.ts';

/** A router of an earlier version tells only whether it is dead. */
export function stateOf({ state, beating }: Router): RouterState {
  return state ?? (beating ? 'healthy' : 'offline');
}

/** "gateway-1 · process 4711", or its id if it does not tell its machine. */
export function routerName({ id, host, pid }: Router): string {
  if (host === undefined || host === null) return id;
  return pid === undefined || pid === null ? host : `${host} · process ${pid}`;
}
