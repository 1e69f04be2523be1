/** Which routers an agent may serve (docs/regions.md), and their addresses. */
import type { Region } from '../../shared/region.ts';

/** Another router of the fleet, at the URL where agents reach it. */
export type RouterPeer = Readonly<{ url: string; regions: readonly string[] }>;

/** The most router URLs that are sent to an agent. */
const PEERS_MAX = 256;

/** Whether a router with listeners of these regions can use an agent of this region. */
export function mayServe(agent: Region, listeners: readonly string[]): boolean {
  return listeners.includes('global') || listeners.includes(agent);
}

/** URLs of the other routers for an agent of this region: unique, sorted, at most `PEERS_MAX`. */
export function peersFor(agent: Region, peers: readonly RouterPeer[]): string[] {
  const urls = peers.filter(({ regions }) => mayServe(agent, regions)).map(({ url }) => url);
  return [...new Set(urls)].toSorted().slice(0, PEERS_MAX);
}
