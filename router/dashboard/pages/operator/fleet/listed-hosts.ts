/** Searches and filters the hosts, of which the page has all. */
import type { Agent } from '../../../../../shared/api/agents.ts';
import { shownCount } from '../../../format/count.ts';
import { searchWords } from '../../../format/search-words.ts';
import {
  type FleetSearch,
  HOST_LINKS,
  type HostLink,
  type HostSort,
} from '../../../operator-search.ts';
import { failedShare, isFailing, type LastHour } from './failed-attempts.ts';
import { isLost } from './lost-hosts.ts';

type Narrowed = Pick<FleetSearch, 'host' | 'link' | 'region'>;
type Sorted = Readonly<{ sort: HostSort; order: 'asc' | 'desc' }>;

/** Those that are lost, those that wait to join, those that fail, and then the others. */
export const USUAL_HOSTS = { sort: 'attention', order: 'asc' } as const satisfies Sorted;

/** How the link of a host's agent is. `away`: it was stopped or drained, or another router has it. */
export function linkOf(agent: Agent): HostLink {
  if (agent.state === 'revoked') return 'revoked';
  if (agent.connected) return 'connected';
  if (agent.state === 'enrolling') return 'joining';
  return isLost(agent) ? 'lost' : 'away';
}

/**
 * Returns the hosts that have each word of the search and pass the filters, in the given order, and
 * otherwise by name. Revoked hosts are listed only if the filter asks for them. `hour`: what the
 * attempts of the last hour came to.
 */
export function listedHosts(
  agents: readonly Agent[],
  { host = '', link, region }: Narrowed,
  { sort, order }: Sorted,
  { hosts: attempts }: Pick<LastHour, 'hosts'>,
): readonly Agent[] {
  const words = searchWords(host);
  const found = agents.filter((agent) => {
    const own = linkOf(agent);
    const text = `${agent.name} ${agent.id}`.toLowerCase();
    return (
      (link === undefined ? own !== 'revoked' : own === link) &&
      (region === undefined || agent.region === region) &&
      words.every((word) => text.includes(word))
    );
  });
  const shareOf = ({ id }: Agent) => failedShare(attempts.get(id));
  const worst = (agent: Agent) => (isFailing(attempts.get(agent.id)) ? shareOf(agent) : 0);
  const compare: Readonly<Record<HostSort, (a: Agent, b: Agent) => number>> = {
    attention: (a, b) => placeOf(a) - placeOf(b) || worst(b) - worst(a),
    name: byName,
    failed: (a, b) => shareOf(a) - shareOf(b),
  };
  const sign = order === 'asc' ? 1 : -1;
  return found.toSorted((a, b) => sign * compare[sort](a, b) || byName(a, b));
}

function byName(a: Agent, b: Agent): number {
  return a.name.localeCompare(b.name, 'en', { numeric: true });
}

/** The links that an operator looks for, in the order of the list. */
const FIRST: readonly HostLink[] = ['lost', 'joining'];

function placeOf(agent: Agent): number {
  const place = FIRST.indexOf(linkOf(agent));
  return place < 0 ? FIRST.length : place;
}

export const LINK_NAMES: Readonly<Record<HostLink, string>> = {
  connected: 'Connected',
  lost: 'Lost',
  away: 'Not connected',
  joining: 'Waiting to join',
  revoked: 'Revoked',
};

/** "11 connected, 1 lost, 2 revoked" */
export function hostsInWords(agents: readonly Agent[]): string {
  const counts = Map.groupBy(agents, linkOf);
  return HOST_LINKS.flatMap((link) => {
    const count = counts.get(link)?.length ?? 0;
    return count === 0 ? [] : [`${shownCount(count)} ${LINK_NAMES[link].toLowerCase()}`];
  }).join(', ');
}
