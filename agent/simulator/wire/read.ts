/** Reads the body of a request as JSON, up to `BODY_BYTES_MAX`. */
import type { IncomingMessage } from 'node:http';
import { badRequest, EngineError } from './errors.ts';

const BODY_BYTES_MAX = 256 * 1024 * 1024;

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) {
      throw new EngineError(413, 'BadRequestError', 'The body is too large.');
    }
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown;
  } catch {
    throw badRequest('JSON decode error');
  }
}
