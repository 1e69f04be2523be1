/**
 * Scales a trace to a rate: copies of its population run side by side, each with its own prefixes,
 * and time is then stretched a little. So the time between a customer's requests stays almost the
 * same. Leaving out requests or speeding up the trace would change it.
 */
import type { Random } from '../../../../shared/random.ts';
import type { Trace, TraceRequest } from './trace.ts';

export type Arrival = TraceRequest &
  Readonly<{
    /** The router at which the request arrives. */
    router: number;
    /**
     * A router's estimate of a token's text divided by its true length, because a router sees text,
     * not tokens.
     */
    tokenError: number;
  }>;

export type LoadOptions = Readonly<{
  requestsPerS: number;
  requestsMax: number;
  routers: number;
  /** The standard deviation of the logarithm of `tokenError`. */
  tokenErrorDeviation: number;
}>;

/** All copies start within this time of the first. */
const OFFSET_S_MAX = 60;
/** The offset between the session ids of two copies, so that no sessions are shared. */
const SESSIONS = 2 ** 32;

export function makeLoad(trace: Trace, options: LoadOptions, random: Random): Arrival[] {
  const { requestsPerS, requestsMax } = options;
  const lastS = trace.requests.at(-1)?.atS ?? 0;
  const natural = lastS > 0 ? trace.requests.length / lastS : requestsPerS;
  const copies = Math.max(1, Math.floor(requestsPerS / natural + 0.5));
  const stretch = (natural * copies) / requestsPerS;
  const tooMany = trace.requests.length * copies > requestsMax * 1.05;
  // Copies only the part of the trace that can be among the first `requestsMax` requests, with all
  // copies running by then.
  const untilS = tooMany ? requestsMax / requestsPerS + OFFSET_S_MAX : Number.POSITIVE_INFINITY;
  const merged: TraceRequest[] = [];
  for (let copy = 0; copy < copies; copy++) {
    const offsetS = copy === 0 ? 0 : random.unit() * OFFSET_S_MAX;
    for (const request of trace.requests) {
      const atS = request.atS * stretch + offsetS;
      if (atS > untilS) break;
      const session = request.session + copy * SESSIONS;
      merged.push({ ...request, atS, session, blocks: blocksOf(request.blocks, copy, trace) });
    }
  }
  merged.sort((a, b) => a.atS - b.atS);
  return merged.slice(0, requestsMax).map((request) => ({
    ...request,
    router: random.below(options.routers),
    tokenError: Math.exp(options.tokenErrorDeviation * gaussian(random)),
  }));
}

function blocksOf(blocks: Uint32Array, copy: number, { idsEnd, sharedEnd }: Trace): Uint32Array {
  if (copy === 0) return blocks;
  return blocks.map((id) => (id < sharedEnd ? id : id + copy * idsEnd));
}

function gaussian(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(random.unit() + 1e-18));
  return radius * Math.cos(2 * Math.PI * random.unit());
}
