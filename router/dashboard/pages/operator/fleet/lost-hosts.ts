/** Hosts that went away although nobody stopped or drained them. */
import type { Agent } from '../../../../../shared/api/agents.ts';
import { shownCount } from '../../../format/count.ts';

export function isLost({ absence }: Pick<Agent, 'absence'>): boolean {
  return absence?.reason === 'lost';
}

/** The workers of lost hosts, which routers do not list any more. */
export function lostWorkers(hosts: readonly Agent[]): number {
  return hosts.filter(isLost).reduce((sum, { absence }) => sum + (absence?.workers ?? 0), 0);
}

/** "1 host disconnected", or null if there are none. It may be back in a moment. */
export function disconnectedInWords(hosts: readonly Pick<Agent, 'absence'>[]): string | null {
  const count = hosts.filter(({ absence }) => absence?.reason === 'disconnected').length;
  return count === 0 ? null : `${counted(count)} disconnected`;
}

/** "2 hosts lost", or null if there are none. */
export function lostInWords(hosts: readonly Pick<Agent, 'absence'>[]): string | null {
  const lost = hosts.filter(isLost).length;
  if (lost === 0) return null;
  return `${counted(lost)} lost`;
}

function counted(hosts: number): string {
  return `${shownCount(hosts)} ${hosts === 1 ? 'host' : 'hosts'}`;
}
