/**
 * Reads the request bodies of the management API in place of Fastify, within a total budget and a
 * budget for each address, because a sender may have no account. Callers and strangers have
 * separate budgets, so that a flood of sign-ups does not block anybody who is signed in.
 */
import type { IncomingMessage } from 'node:http';
import { addressBlock } from '../../shared/bounds/address-block.ts';
import { Budget, type BudgetBytes, type Lease } from '../../shared/bounds/budget.ts';
import { ChunkBuffer } from '../../shared/bounds/chunk-buffer.ts';
import { ConcurrencyLimit, type ConcurrencyMax } from '../../shared/bounds/concurrency-limit.ts';
import { scan } from '../../shared/bounds/json-scan.ts';
import { dripped, stopParsing } from '../../shared/bounds/stop-parsing.ts';
import type { Clock } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import { Refused } from './api.ts';

const MIB = 1024 * 1024;

/** `stranger`: a sender on a public route. `caller`: a sender whom the access check has let in. */
export type Sender = 'stranger' | 'caller';

type Bounds = Readonly<{ budget: Budget<string>; atOnce: ConcurrencyLimit<string> }>;

/** A body, whose bytes count against the budget until it is disposed. */
export type HeldBody = Disposable & Readonly<{ bytes: Buffer }>;

export class Bodies {
  readonly #clock: Clock;
  readonly #of: Readonly<Record<Sender, Bounds>> = {
    stranger: boundsOf(limits.strangerBodies),
    caller: boundsOf(limits.callerBodies),
  };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Bytes held for bodies, for metrics and tests. */
  get heldBytes(): number {
    return this.#of.stranger.budget.bytes + this.#of.caller.budget.bytes;
  }

  /**
   * Reads the whole body, of at most `bytesMax` bytes. Throws `Refused` when the body is too large,
   * arrives too slowly or in too many small pieces, or when its address exceeds its budget. The
   * connection must be closed after that.
   */
  async read(
    request: IncomingMessage,
    { sender, address, bytesMax }: Readonly<{ sender: Sender; address: string; bytesMax: number }>,
  ): Promise<HeldBody> {
    const { budget, atOnce } = this.#of[sender];
    const peer = addressBlock(address);
    const place = atOnce.enter(peer);
    if (!place) throw refuseRest(request, tooMany());
    const lease = budget.lease(peer);
    try {
      const bytes = await this.#gather(request, lease, bytesMax);
      return { bytes, [Symbol.dispose]: () => lease[Symbol.dispose]() };
    } catch (error) {
      lease[Symbol.dispose]();
      throw error;
    } finally {
      place[Symbol.dispose]();
    }
  }

  #gather(request: IncomingMessage, lease: Lease, bytesMax: number): Promise<Buffer> {
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > bytesMax) throw refuseRest(request, tooLarge(bytesMax));
    const pieces = new ChunkBuffer(lease, declared, limits.controlBodySmallPiecesMax);
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const refuse = (refused: Refused) => reject(refuseRest(request, refused));
    const late = this.#clock.after(limits.controlBodyMsMax, () => refuse(tooSlow()));
    request.on('data', (piece: Buffer) => {
      const gathered = pieces.add(piece);
      if (pieces.bytes > bytesMax) refuse(tooLarge(bytesMax));
      else if (gathered === 'dripping') refuse(tooSmallPieces());
      else if (gathered === 'full') refuse(tooMany());
    });
    request.on('end', () => {
      const whole = pieces.whole();
      if (whole) resolve(whole);
      else refuse(tooMany());
    });
    // The connection broke. Nobody reads the answer, but the request must still end.
    request.on('error', () => reject(new Refused('bad_request')));
    request.on('close', () => reject(new Refused('bad_request')));
    void dripped(request)?.then(() => reject(tooSmallPieces()));
    return promise.finally(() => late.cancel());
  }
}

/**
 * Parses a JSON body. Returns undefined for an empty body. Throws `Refused` for invalid JSON, for
 * JSON that is nested too deeply, or for JSON with too many values.
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const { jsonDepthMax, controlJsonNodesMax } = limits;
  const { exceeded } = scan(bytes, { depthMax: jsonDepthMax, nodesMax: controlJsonNodesMax });
  if (exceeded === 'depth') {
    throw new Refused('invalid_json', `The body is nested more than ${jsonDepthMax} levels deep.`);
  }
  if (exceeded === 'nodes') {
    throw new Refused('invalid_json', `The body has more than ${controlJsonNodesMax} values.`);
  }
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Refused('invalid_json');
  }
}

function boundsOf({ at, bytes }: Readonly<{ at: ConcurrencyMax; bytes: BudgetBytes }>): Bounds {
  return { budget: new Budget(bytes), atOnce: new ConcurrencyLimit(at) };
}

function refuseRest(request: IncomingMessage, refused: Refused): Refused {
  stopParsing(request);
  return refused;
}

function tooLarge(bytesMax: number): Refused {
  const most = bytesMax < MIB ? `${bytesMax / 1024} KiB` : `${bytesMax / MIB} MiB`;
  return new Refused('body_too_large', `The body is larger than ${most}.`);
}

function tooSlow(): Refused {
  return new Refused('bad_request', 'The body did not arrive in time.');
}

function tooSmallPieces(): Refused {
  return new Refused('bad_request', 'The body arrives in too many small pieces: send larger ones.');
}

function tooMany(): Refused {
  const message = 'Your network sends too many requests at once: retry shortly.';
  return new Refused('rate_limited', message, undefined, 1);
}
