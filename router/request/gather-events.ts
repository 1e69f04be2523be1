/**
 * Hot path. Gathers the events that a client gets in one turn of the event loop into one write, which
 * is a system call. A link, which is one connection, does this with `TurnWrites`. Here are many
 * connections, and one callback serves those of a turn.
 */
import type { Socket } from 'node:net';

/** The sockets that were written to in this turn, each of which is corked. */
let corked: Socket[] = [];

/** Must be called before a write. The socket is written to when the code that runs now has ended. */
export function gatherEvents(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  if (corked.push(socket) === 1) process.nextTick(uncork);
}

function uncork(): void {
  const sockets = corked;
  corked = [];
  for (const socket of sockets) socket.uncork();
}
