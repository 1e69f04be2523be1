/** How many connections the operating system leaves room for: each takes a descriptor. */
import { readFile } from 'node:fs/promises';
import type { ConcurrencyMax } from '../shared/bounds/concurrency-limit.ts';
import { limits } from '../shared/limits.ts';

/**
 * Returns how many files and sockets this process may have open at once. Null if there is no limit,
 * or if the system does not tell: only Linux does.
 */
export async function descriptorLimit(): Promise<number | null> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const soft = /^Max open files\s+(\d+)/m.exec(text)?.[1];
  return soft === undefined ? null : Number(soft);
}

/**
 * Returns the bounds on connections under a limit on descriptors. The reserve is kept for the
 * store, the metrics and what else the router opens. One address gets at most half, so that a
 * health check from another one is answered.
 */
export function connectionsWithin(descriptors: number | null): ConcurrencyMax {
  const { totalMax, peerMax } = limits.connections;
  if (descriptors === null) return limits.connections;
  // A limit below the reserve leaves no good choice. A quarter keeps the router usable.
  const room = Math.max(descriptors - limits.descriptorsReserved, Math.ceil(descriptors / 4));
  const total = Math.min(totalMax, room);
  return { totalMax: total, peerMax: Math.min(peerMax, Math.ceil(total / 2)) };
}

/** Whether a limit on descriptors leaves room for fewer connections than a busy router may need. */
export function isLow({ totalMax }: ConcurrencyMax): boolean {
  return totalMax < limits.connections.totalMax / 2;
}
