/** Routers in words. */
import type { Router } from '../../../../../shared/api/routers.ts';
import type { Tone } from '../../../parts/shown.tsx';

type State = NonNullable<Router['state']>;

export const ROUTER_STATES: Readonly<Record<State, Readonly<{ tone: Tone; name: string }>>> = {
  healthy: { tone: 'good', name: 'Reporting' },
  draining: { tone: 'warn', name: 'Draining' },
  silent: { tone: 'bad', name: 'Stopped reporting' },
  offline: { tone: 'bad', name: 'Offline' },
};

/** A router of an earlier version tells only whether it is dead. */
export function stateOf({ state, beating }: Router): State {
  return state ?? (beating ? 'healthy' : 'offline');
}

/** "gateway-1 · process 4711", or its id if it does not tell its machine. */
export function routerName({ id, host, pid }: Router): string {
  if (host === undefined || host === null) return id;
  return pid === undefined || pid === null ? host : `${host} · process ${pid}`;
}
