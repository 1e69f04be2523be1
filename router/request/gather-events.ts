/**
 * Hot path. What is read at once from a link usually has one event for a client, which is written at
 * once. If it has more, those after the first are gathered into one write, because each write is a
 * system call. A link, which is one connection, gathers with `TurnWrites`. Here are many connections,
 * and one callback serves those of a turn of the event loop.
 */
import type { Socket } from 'node:net';
import { linkReads } from '../fleet/link-reads.ts';

/** The sockets that are corked until this turn ends. */
let corked: Socket[] = [];

/**
 * Must be called before an event is written to `socket`. `last` is what it returned before the event
 * before it, and -1 before the first one. Returns the number of the read that the event came with.
 */
export function gatherEvents(socket: Socket, last: number): number {
  if (last === linkReads && socket.writableCorked === 0) {
    socket.cork();
    if (corked.push(socket) === 1) process.nextTick(uncork);
  }
  return linkReads;
}

function uncork(): void {
  const sockets = corked;
  corked = [];
  for (const socket of sockets) socket.uncork();
}
