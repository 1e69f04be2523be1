/** Searches and filters the hosts, of which the page has all. */
import type { Agent } from '../../../../../shared/api/agents.ts';
import { shownCount } from '../../../format/count.ts';
import { searchWords } from '../../../format/search-words.ts';
import { type FleetSearch, HOST_LINKS, type HostLink } from '../../../operator-search.ts';
import { isLost } from './lost-hosts.ts';

type Narrowed = Pick<FleetSearch, 'host' | 'link' | 'region'>;

/** How the link of a host's agent is. `away`: it was stopped or drained, or another router has it. */
export function linkOf(agent: Agent): HostLink {
  if (agent.state === 'revoked') return 'revoked';
  if (agent.connected) return 'connected';
  if (agent.state === 'enrolling') return 'joining';
  return isLost(agent) ? 'lost' : 'away';
}

/**
 * Returns the hosts that have each word of the search and pass the filters: those that are lost, those
 * that wait to join, and then the others, each by name. Revoked hosts are listed only if the filter
 * asks for them.
 */
export function listedHosts(
  agents: readonly Agent[],
  { host = '', link, region }: Narrowed,
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
  return found.toSorted(
    (a, b) => placeOf(a) - placeOf(b) || a.name.localeCompare(b.name, 'en', { numeric: true }),
  );
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
