/**
 * Reads and discards the rest of an unwanted body, up to a limit. Without this, a client that is
 * still sending would see a connection reset and not the error.
 */
import type { IncomingMessage } from 'node:http';
import { PIECE_BYTES_MIN, SMALL_PIECES_MAX } from '../../../shared/bounds/gathering.ts';
import { dripped, stopParsing } from '../../../shared/bounds/stop-parsing.ts';
import { limits } from '../../../shared/limits.ts';

/**
 * Stops reading. The socket itself is paused: a request that is paused goes on taking pieces until
 * its buffer is full.
 */
export function stopReading(request: IncomingMessage): void {
  stopParsing(request);
  request.socket.pause();
}

/**
 * Resolves to whether the body has ended. If it has not, reading has stopped, and the caller must
 * close the connection.
 */
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

/** For a request answered without its body: closes the connection if the body does not end. */
export async function drainAnswered(request: IncomingMessage): Promise<void> {
  if (!(await drain(request))) request.destroy();
}
