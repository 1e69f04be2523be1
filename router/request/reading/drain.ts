/**
 * What is left of a body that nobody wants is read and thrown away up to a bound: a client that is still sending would
 * otherwise see a reset connection in place of the error.
 */
import type { IncomingMessage } from 'node:http';
import { PIECE_BYTES_MIN, SMALL_PIECES_MAX } from '../../../shared/bounds/gathering.ts';
import { dripped, stopParsing } from '../../../shared/bounds/stop-parsing.ts';
import { limits } from '../../../shared/limits.ts';

/**
 * Reads no further. The socket itself is stopped: a request that is paused goes on taking pieces until so many bytes
 * of them have gathered.
 */
export function stopReading(request: IncomingMessage): void {
  stopParsing(request);
  request.socket.pause();
}

/** Resolves with whether the body came to its end. If not, it is read no further and the connection is to be closed. */
export function drain(request: IncomingMessage): Promise<boolean> {
  if (request.complete || request.destroyed) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let bytes = 0;
  let pieces = 0;
  const stop = () => {
    request.off('data', discard);
    stopReading(request);
    resolve(false);
  };
  const discard = (piece: Buffer) => {
    bytes += piece.length;
    pieces += 1;
    const isDripping = pieces > SMALL_PIECES_MAX + bytes / PIECE_BYTES_MIN;
    if (isDripping || bytes > limits.bodyDrainBytesMax) stop();
  };
  void dripped(request)?.then(stop);
  request.on('data', discard);
  request.on('end', () => resolve(true));
  request.on('close', () => resolve(true));
  request.resume();
  return promise;
}

/** For a request that is answered at once: its connection is closed if its body does not come to an end. */
export async function drainAnswered(request: IncomingMessage): Promise<void> {
  if (!(await drain(request))) request.destroy();
}
