/** Hosts that went away although nobody stopped or drained them. */
import type { Agent } from '../../../../../shared/api/agents.ts';
import { shownCount } from '../../../format/count.ts';

export function isLost({ absence }: Agent): boolean {
  return absence?.reason === 'lost';
}

/** "2 hosts lost", or null if there are none. */
export function lostInWords(hosts: readonly Agent[]): string | null {
  const lost = hosts.filter(isLost).length;
  if (lost === 0) return null;
  return `${shownCount(lost)} ${lost === 1 ? 'host' : 'hosts'} lost`;
}
