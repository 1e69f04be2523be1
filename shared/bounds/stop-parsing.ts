/** Stops the parsing of a request when nothing more of it is to be read. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PIECE_BYTES_MIN } from './chunk-buffer.ts';

/** Where Node's HTTP parser keeps its callbacks: headers, body, the end of a message. */
const CALLBACKS = [1, 2, 3, 4] as const;

/**
 * Removes the parser's callbacks for a request. Node's parser goes on through the data that it has
 * just read, 64 KiB or ten thousand chunks, and calls back for each chunk, whatever has become of
 * the request and its socket. Without callbacks that takes a twentieth of the time. They are
 * restored when the connection is closed, because Node reuses parsers. Nothing more of the
 * connection is read as requests, so the caller must close it. Otherwise Node closes it after
 * `requestTimeout`.
 */
export function stopParsing(request: IncomingMessage): void {
  request.removeAllListeners('data');
  request.pause();
  // The parser is not part of Node's documented API. If it is not found, the callbacks stay.
  const { parser } = request.socket as { parser?: Record<number, unknown> | null };
  if (typeof parser !== 'object' || parser === null) return;
  const before = CALLBACKS.map((place) => [place, parser[place]] as const);
  for (const place of CALLBACKS) parser[place] = undefined;
  request.socket.once('close', () => {
    // A request may be stopped twice. The second time there were no callbacks to keep.
    for (const [place, callback] of before) parser[place] ??= callback;
  });
}

/**
 * Closes the connection of a chunked request that is answered while nobody reads its body.
 * Otherwise Node would read and discard the rest for as long as it comes, and call back for each
 * chunk.
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
 * Stops a chunked body that arrives in more pieces than `smallPiecesMax` plus one for each
 * `PIECE_BYTES_MIN` bytes. Call it as soon as the request arrives: chunks cost the same whether or
 * not they are read. A body of declared length is ignored: its pieces are reads from the network,
 * and `ChunkBuffer` counts them.
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

/**
 * Resolves when `watchDrips` has stopped the body, so that its reader can refuse the request.
 * Undefined when the request is not watched.
 */
export function dripped(request: IncomingMessage): Promise<void> | undefined {
  return stopped.get(request);
}
