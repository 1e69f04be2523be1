/** Reads a request's body and its JSON, both within bounds. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { BodyLease } from './body-budget.ts';

/**
 * The whole body. One that is too large is read on and thrown away up to a bound: a client that is still
 * sending would otherwise see a reset connection in place of the error.
 */
export function readBody(
  request: IncomingMessage,
  { clock, lease, stopping }: Readonly<{ clock: Clock; lease: BodyLease; stopping: AbortSignal }>,
): Promise<Buffer | Refusal> {
  const { promise, resolve } = Promise.withResolvers<Buffer | Refusal>();
  // A timer of our own: a server that is closing no longer looks after Node's.
  const late = clock.after(limits.bodyReadMsMax, () => {
    resolve(new Refusal('bad_request', { message: 'The body did not come in time.' }));
  });
  // A body that may never end must not keep a router that stops.
  const stop = () => resolve(new Refusal('shutting_down', { retryAfterS: 1 }));
  stopping.addEventListener('abort', stop);
  const pieces: Buffer[] = [];
  let bytes = 0;
  let keeping = true;
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (keeping && !lease.take(piece.length)) {
      keeping = false;
      resolve(new Refusal('overloaded', { retryAfterS: 1 }));
    }
    keeping &&= bytes <= limits.bodyBytesMax;
    if (keeping) pieces.push(piece);
    else pieces.length = 0;
    if (bytes > limits.bodyDrainBytesMax) {
      request.pause();
      resolve(new Refusal('body_too_large'));
    }
  });
  request.on('end', () => {
    if (bytes > limits.bodyBytesMax) return resolve(new Refusal('body_too_large'));
    resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, bytes));
  });
  // Nobody reads the answer then; it only has to come to an end.
  request.on('close', () => resolve(new Refusal('bad_request')));
  return promise.finally(() => {
    late.cancel();
    stopping.removeEventListener('abort', stop);
  });
}

/** The JSON object in a body. */
export function parseObject(body: Buffer): Record<string, unknown> | Refusal {
  if (body.length === 0) {
    return new Refusal('invalid_json', { message: 'The body is empty: send a JSON object.' });
  }
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return new Refusal('invalid_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Refusal('invalid_json', { message: 'The body is not a JSON object.' });
  }
  if (isDeeperThan(value, limits.jsonDepthMax)) {
    return new Refusal('invalid_json', {
      message: `The body is nested more than ${limits.jsonDepthMax} levels deep.`,
    });
  }
  return value as Record<string, unknown>;
}

/** Level by level rather than by recursion: the input chooses the depth. */
function isDeeperThan(root: object, depthMax: number): boolean {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > depthMax) return true;
    const below: object[] = [];
    for (const node of level) {
      for (const child of Object.values(node)) {
        if (typeof child === 'object' && child !== null) below.push(child);
      }
    }
    level = below;
  }
  return false;
}
