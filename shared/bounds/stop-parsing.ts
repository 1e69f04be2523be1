/** Stops the work for a request of which nothing more is to be read. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PIECE_BYTES_MIN } from './gathering.ts';

/** Where the callbacks of Node's HTTP parser stand: headers, body, the end of a message. */
const CALLBACKS = [1, 2, 3, 4] as const;

/**
 * Node's parser goes on through what it has just read, 64 KiB or ten thousand chunks, and calls back for each chunk,
 * whatever has become of the request and its socket. Without its callbacks that takes a twentieth of the time. They come
 * back when the connection is closed, because Node uses parsers again. Nothing more of the connection is read as
 * requests: whoever calls this closes it. Otherwise Node does, after `requestTimeout`.
 */
export function stopParsing(request: IncomingMessage): void {
  request.removeAllListeners('data');
  request.pause();
  // Not part of Node's documented API: where no parser is found, its callbacks go on as they would have.
  const { parser } = request.socket as { parser?: Record<number, unknown> | null };
  if (typeof parser !== 'object' || parser === null) return;
  const before = CALLBACKS.map((place) => [place, parser[place]] as const);
  for (const place of CALLBACKS) parser[place] = undefined;
  request.socket.once('close', () => {
    // It may have been stopped twice: the second time there was nothing to give back.
    for (const [place, callback] of before) parser[place] ??= callback;
  });
}

/**
 * Closes the connection of a request in chunks that is answered while nobody reads its body. Node would read the rest
 * and throw it away for as long as it comes, and call back for each chunk.
 */
export function closeUnread(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  response.once('finish', () => {
    if (request.complete || request.listenerCount('data') > 0) return;
    stopParsing(request);
    request.socket.destroySoon();
  });
}

/** For each watched request: resolves when its body was stopped. */
const stopped = new WeakMap<IncomingMessage, Promise<void>>();

/**
 * Stops a chunked body that comes in more pieces than `smallPiecesMax` and one for each `PIECE_BYTES_MIN` bytes. Call it
 * as soon as the request arrives: chunks cost the same whether or not anybody reads them. It ignores a body of declared
 * length, whose pieces are those of the network and are counted where they are gathered.
 */
export function watchDrips(request: IncomingMessage, smallPiecesMax: number): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  stopped.set(request, promise);
  const push = request.push.bind(request);
  let pieces = 0;
  let bytes = 0;
  request.push = (piece: Uint8Array | null) => {
    if (piece === null) return push(piece);
    pieces += 1;
    bytes += piece.length;
    if (pieces <= smallPiecesMax + bytes / PIECE_BYTES_MIN) return push(piece);
    request.push = () => false;
    stopParsing(request);
    resolve();
    return false;
  };
}

/** Resolves when `watchDrips` has stopped the body; whoever reads it then refuses it. Undefined: it was not watched. */
export function dripped(request: IncomingMessage): Promise<void> | undefined {
  return stopped.get(request);
}
