/** Which routers an agent may serve (DESIGN §8), and where they are. */
import type { Region } from '../../shared/wire/messages.ts';

/** Another router of the fleet, where agents reach it. */
export type RouterPeer = Readonly<{ url: string; regions: readonly string[] }>;

/** As many as an agent is told of. */
const PEERS_MAX = 256;

/** Whether a router with listeners of these regions has any use for an agent of this one. */
export function mayServe(agent: Region, listeners: readonly string[]): boolean {
  return listeners.includes('global') || listeners.includes(agent);
}

/** Where an agent of this region finds the others: each address once, always in the same order. */
export function peersFor(agent: Region, peers: readonly RouterPeer[]): string[] {
  const urls = peers.filter(({ regions }) => mayServe(agent, regions)).map(({ url }) => url);
  return [...new Set(urls)].toSorted().slice(0, PEERS_MAX);
}
