/** Reads the body of a request, within its own limits and the memory budget of bodies. */
import type { IncomingMessage } from 'node:http';
import type { Lease } from '../../../shared/bounds/budget.ts';
import {
  type Gathered,
  ChunkBuffer,
  SMALL_PIECES_MAX,
} from '../../../shared/bounds/chunk-buffer.ts';
import { dripped } from '../../../shared/bounds/stop-parsing.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { Refusal } from '../../../shared/refusals.ts';
import { bodiesFull } from '../limited.ts';
import { type Discards, drain, drainAnswered, stopReading } from './drain.ts';
import { PAUSED_BYTES_MAX, READ_BYTES, type UploadTurns } from './upload-turns.ts';

/**
 * The memory for a body of which one byte was sent, however long it is said to be. Otherwise a few
 * organizations could take the memory for bodies from all others, and send next to nothing.
 */
const FIRST_BYTES_MAX = 16 * 1024;

/** The declared length of the body in bytes, 0 without a body. Null when the body is chunked. */
export function declaredBytes({ headers }: IncomingMessage): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  // The HTTP parser has checked that this is a number.
  return Number(headers['content-length'] ?? 0);
}

/**
 * Discards the body of a request that is answered without it. Must be called before the response:
 * otherwise Node itself reads the unread body of an answered request, without a limit.
 */
export function discardBody(request: IncomingMessage, discards: Discards): void {
  if (declaredBytes(request) !== 0) void drainAnswered(request, discards);
}

/** The bytes of a body, in blocks that share their memory with nothing else. */
export type Blocks = readonly Buffer<ArrayBuffer>[];

export type ReadParts = Readonly<{
  clock: Clock;
  lease: Lease;
  stopping: AbortSignal;
  organization: OrganizationId;
  uploads: UploadTurns<OrganizationId>;
  discards: Discards;
}>;

export async function readBody(
  request: IncomingMessage,
  { clock, lease, stopping, organization, uploads, discards }: ReadParts,
): Promise<Blocks | Refusal> {
  if (isEncoded(request)) return await refuseReading(request, discards, ENCODED);
  const declared = declaredBytes(request) ?? 0;
  if (declared > limits.bodyBytesMax) return await refuseReading(request, discards, TOO_LARGE);
  const buffer = new ChunkBuffer(lease, declared, SMALL_PIECES_MAX, FIRST_BYTES_MAX);
  const { promise, resolve } = Promise.withResolvers<Refusal | null>();
  // This timer is needed because a server that is closing no longer enforces Node's own.
  const late = clock.after(limits.bodyReadMsMax, () => {
    resolve(new Refusal('bad_request', { message: 'The body did not arrive in time.' }));
  });
  // A body that may never end must not keep a stopping router alive.
  const stop = () => resolve(new Refusal('shutting_down', { retryAfterS: 1 }));
  stopping.addEventListener('abort', stop);
  let pausedBytes = 0;
  const takeTurn = (piece: Buffer): Gathered => {
    // A body that fits in one read is never paused.
    if (buffer.bytes <= READ_BYTES) return 'kept';
    if (pausedBytes === 0 && !lease.take(PAUSED_BYTES_MAX)) return 'full';
    pausedBytes = PAUSED_BYTES_MAX;
    uploads.spend(organization, request, piece.length);
    return 'kept';
  };
  const keep = (piece: Buffer) => {
    const gathered = buffer.add(piece);
    const now = gathered === 'kept' ? takeTurn(piece) : gathered;
    const refusal = refusalOf(now, buffer.bytes, lease);
    if (!refusal) return;
    request.off('data', keep);
    // Nothing more is read until `refuseReading` handles the refusal.
    if (refusal.code === 'bad_request') stopReading(request);
    else request.pause();
    resolve(refusal);
  };
  void dripped(request)?.then(() => resolve(DRIPPING));
  const end = () => resolve(null);
  // Nobody reads this refusal; the request only has to end.
  const close = () => resolve(new Refusal('bad_request'));
  request.on('data', keep).on('end', end).on('close', close);
  const refusal = await promise;
  late.cancel();
  stopping.removeEventListener('abort', stop);
  request.off('data', keep).off('end', end).off('close', close);
  uploads.leave(request);
  lease.give(pausedBytes);
  if (!refusal) return buffer.blocks() as Buffer<ArrayBuffer>[];
  buffer.drop();
  return await refuseReading(request, discards, refusal);
}

/** A small compressed body could become any size, so none is decompressed. */
function isEncoded({ headers }: IncomingMessage): boolean {
  const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  return encoding !== '' && encoding !== 'identity';
}

const ENCODED = new Refusal('unsupported_encoding');
const TOO_LARGE = new Refusal('body_too_large');
const DRIPPING = new Refusal('bad_request', {
  message: 'The body comes in pieces that are too small: send it in larger chunks.',
});

function refusalOf(gathered: Gathered, bytes: number, lease: Lease): Refusal | null {
  if (bytes > limits.bodyBytesMax) return TOO_LARGE;
  switch (gathered) {
    case 'kept':
      return null;
    case 'full':
      return bodiesFull(lease.exceeded);
    case 'dripping':
      return DRIPPING;
  }
}

async function refuseReading(
  request: IncomingMessage,
  discards: Discards,
  refusal: Refusal,
): Promise<Refusal> {
  // This refusal closes the connection, so it waits for the rest of what the client sends.
  if (refusal.code === 'body_too_large') await drain(request, discards);
  // Reading stops for bodies that arrive too slowly or in too small pieces.
  else if (refusal.code === 'bad_request') stopReading(request);
  else void drainAnswered(request, discards);
  return refusal;
}
