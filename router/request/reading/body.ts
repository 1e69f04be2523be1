/** Reads the bytes of a request's body, within its bounds and those of the memory that bodies may take. */
import type { IncomingMessage } from 'node:http';
import type { Lease } from '../../../shared/bounds/budget.ts';
import { type Gathered, Gathering } from '../../../shared/bounds/gathering.ts';
import { dripped } from '../../../shared/bounds/stop-parsing.ts';
import type { Clock } from '../../../shared/clock.ts';
import { limits } from '../../../shared/limits.ts';
import { Refusal } from '../../../shared/refusals.ts';
import { drain, drainAnswered, stopReading } from './drain.ts';

/** What a request says of its body's length; null: it does not say, and sends it in chunks. */
export function declaredBytes({ headers }: IncomingMessage): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  // The HTTP parser has checked that it is a number.
  return Number(headers['content-length'] ?? 0);
}

/** The bytes of a body, in blocks of memory that are their own. */
export type Blocks = readonly Buffer<ArrayBuffer>[];

export async function readBody(
  request: IncomingMessage,
  { clock, lease, stopping }: Readonly<{ clock: Clock; lease: Lease; stopping: AbortSignal }>,
): Promise<Blocks | Refusal> {
  const declared = declaredBytes(request) ?? 0;
  if (declared > limits.bodyBytesMax) return await refuseReading(request, TOO_LARGE);
  const gathering = new Gathering(lease, declared);
  const { promise, resolve } = Promise.withResolvers<Refusal | null>();
  // A timer of our own: a server that is closing no longer looks after Node's.
  const late = clock.after(limits.bodyReadMsMax, () => {
    resolve(new Refusal('bad_request', { message: 'The body did not come in time.' }));
  });
  // A body that may never end must not keep a router that stops.
  const stop = () => resolve(new Refusal('shutting_down', { retryAfterS: 1 }));
  stopping.addEventListener('abort', stop);
  const keep = (piece: Buffer) => {
    const refusal = refusalOf(gathering.add(piece), gathering.bytes);
    if (!refusal) return;
    request.off('data', keep);
    // Before it is decided how to go on, no more than what has come already.
    if (refusal.code === 'bad_request') stopReading(request);
    else request.pause();
    resolve(refusal);
  };
  void dripped(request)?.then(() => resolve(DRIPPING));
  const end = () => resolve(null);
  // Nobody reads the answer then; it only has to come to an end.
  const close = () => resolve(new Refusal('bad_request'));
  request.on('data', keep).on('end', end).on('close', close);
  const refusal = await promise;
  late.cancel();
  stopping.removeEventListener('abort', stop);
  request.off('data', keep).off('end', end).off('close', close);
  if (!refusal) return gathering.blocks() as Buffer<ArrayBuffer>[];
  gathering.drop();
  return await refuseReading(request, refusal);
}

const TOO_LARGE = new Refusal('body_too_large');
const DRIPPING = new Refusal('bad_request', {
  message: 'The body comes in pieces that are too small: send it in larger chunks.',
});

function refusalOf(gathered: Gathered, bytes: number): Refusal | null {
  if (bytes > limits.bodyBytesMax) return TOO_LARGE;
  switch (gathered) {
    case 'kept':
      return null;
    case 'full':
      return new Refusal('overloaded', { retryAfterS: 1 });
    case 'dripping':
      return DRIPPING;
  }
}

async function refuseReading(request: IncomingMessage, refusal: Refusal): Promise<Refusal> {
  // Its answer closes the connection, so it has to wait for what the client still sends.
  if (refusal.code === 'body_too_large') await drain(request);
  // What drips or does not come in time is read no further.
  else if (refusal.code === 'bad_request') stopReading(request);
  else void drainAnswered(request);
  return refusal;
}
