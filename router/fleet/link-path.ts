/**
 * The path that agents dial. A router that is several processes gives each of them a path of its
 * own, with the id of the process: an agent has a link to each (docs/processes.md).
 */
import type { Duplex } from 'node:stream';

const LINK_PATH = '/agent';
const ONE_PROCESS = /^\/agent\?process=(\d{1,9})$/;

export function isLinkPath(path: string): boolean {
  return path === LINK_PATH || ONE_PROCESS.test(path);
}

/** Returns the URL of one process, given the URL of its router. */
export function linkUrlOf(router: string, process: number): string {
  const url = new URL(router);
  url.searchParams.set('process', `${process}`);
  return url.href;
}

/** This process, among those of its router that agents can reach. */
export type ProcessOfLinks = Readonly<{ id: number; isServing: (process: number) => boolean }>;

/**
 * Returns the status with which to refuse an agent that dialled this path; null: it has reached the
 * process that it wants. 421 tells the agent to dial again at once, because the next connection may
 * reach that process, and 410 that there is no such process.
 */
export function misdirection(at: ProcessOfLinks | null, path: string): 410 | 421 | null {
  const named = ONE_PROCESS.exec(path)?.[1];
  if (named === undefined || named === `${at?.id}`) return null;
  return at?.isServing(Number(named)) ? 421 : 410;
}

const REASONS = { 410: 'Gone', 421: 'Misdirected Request' } as const;

export function refuse(socket: Duplex, status: 410 | 421): void {
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    () => socket.destroy(),
  );
}
