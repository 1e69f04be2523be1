import type { Router } from '../../../../../shared/api/routers.ts';
import { ROUTER_STATES, type RouterState } from '../../../../../shared/router-states.ts';
import { shownCount } from '../../../format/count.ts';
import { STATE_WORDS } from './state-words.ts';

/** A router of an earlier version tells only whether it is dead. */
export function stateOf({ state, beating }: Router): RouterState {
  return state ?? (beating ? 'healthy' : 'offline');
}

const REPORTING: readonly RouterState[] = ['healthy', 'draining'];

/** The time of the last report of a router that does not report any more. Null: its figures are of now. */
export function reportedLast(router: Router): string | null {
  return REPORTING.includes(stateOf(router)) ? null : (router.reported ?? null);
}

/** A router that drains reports, too. */
export function reportingOf(routers: readonly Router[]): number {
  return routers.filter((router) => REPORTING.includes(stateOf(router))).length;
}

/** "1 draining, 1 stopped reporting", of those that are not as usual. */
export function othersInWords(routers: readonly Router[]): string {
  const counts = Map.groupBy(routers, stateOf);
  const others = ROUTER_STATES.flatMap((state) => {
    const count = state === 'healthy' ? 0 : (counts.get(state)?.length ?? 0);
    return count === 0 ? [] : [`${shownCount(count)} ${STATE_WORDS[state].name.toLowerCase()}`];
  });
  return others.length === 0 ? 'None draining' : others.join(', ');
}
