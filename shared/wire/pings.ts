/** Answers the other end's pings, at a bounded rate: each costs a write, and takes six bytes to send. */
import type { WebSocket } from 'ws';
import { AllowedRate } from '../bounds/allowed-rate.ts';
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';

/** For a socket that was opened with `autoPong: false`. */
export function answerPings(socket: WebSocket, clock: Clock): void {
  const rate = new AllowedRate(clock, limits.linkPings);
  socket.on('ping', (data) => {
    if (!rate.spend(1)) return socket.terminate();
    socket.pong(data);
  });
}
