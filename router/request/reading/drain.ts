/**
 * Reads and discards the rest of an unwanted body, up to a limit. Without this, a client that is
 * still sending would see a connection reset and not the error.
 */
import type { IncomingMessage } from 'node:http';
import { PIECE_BYTES_MIN, SMALL_PIECES_MAX } from '../../../shared/bounds/chunk-buffer.ts';
import { dripped, stopParsing } from '../../../shared/bounds/stop-parsing.ts';
import { limits } from '../../../shared/limits.ts';
import type { UploadTurns } from './upload-turns.ts';

/** Bodies that are discarded take turns by client address. */
export type Discards = UploadTurns<string>;

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
export function drain(request: IncomingMessage, discards: Discards): Promise<boolean> {
  if (request.complete || request.destroyed) {
    // What is left of a body that has arrived is dropped.
    request.resume();
    return Promise.resolve(true);
  }
  const address = request.socket.remoteAddress ?? '';
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let bytes = 0;
  let pieces = 0;
  const stop = () => {
    request.off('data', discard);
    discards.leave(request);
    stopReading(request);
    resolve(false);
  };
  const discard = (piece: Buffer) => {
    bytes += piece.length;
    pieces += 1;
    const isDripping = pieces > SMALL_PIECES_MAX + bytes / PIECE_BYTES_MIN;
    if (isDripping || bytes > limits.bodyDrainBytesMax) stop();
    else discards.spend(address, request, piece.length);
  };
  const over = () => {
    discards.leave(request);
    resolve(true);
  };
  void dripped(request)?.then(stop);
  request.on('data', discard);
  request.on('end', over).on('close', over);
  request.resume();
  return promise;
}

/** For a request answered without its body: closes the connection if the body does not end. */
export async function drainAnswered(request: IncomingMessage, discards: Discards): Promise<void> {
  if (!(await drain(request, discards))) request.destroy();
}
