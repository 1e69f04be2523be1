/**
 * Answers the other end's pings, at a bounded rate: a ping takes six bytes to send, but costs a
 * write to answer. A peer that exceeds the rate is disconnected.
 */
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
