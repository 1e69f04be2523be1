/**
 * Hot path. A client usually gets one event in a turn of the event loop, which is written at once. If
 * it gets more, those after the first are gathered into one write, because each write is a system call.
 * A link, which is one connection, gathers with `TurnWrites`. Here are many connections, and one
 * callback serves those of a turn.
 */
import type { Socket } from 'node:net';

/** The number of this turn, which ends when the code that runs now has ended. */
let turn = 0;
/** Whether the end of this turn is awaited. */
let isCounted = false;
/** The sockets that were written to more than once in this turn, each of which is corked. */
let corked: Socket[] = [];

/**
 * Must be called before a write to `socket`. `last` is what it returned before the last write to it,
 * and -1 before the first one. Returns the number of this turn.
 */
export function gatherEvents(socket: Socket, last: number): number {
  if (!isCounted) {
    isCounted = true;
    process.nextTick(endTurn);
  }
  if (last === turn && socket.writableCorked === 0) {
    socket.cork();
    corked.push(socket);
  }
  return turn;
}

function endTurn(): void {
  turn += 1;
  isCounted = false;
  const sockets = corked;
  corked = [];
  for (const socket of sockets) socket.uncork();
}
