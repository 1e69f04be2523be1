/**
 * A trace brought to a rate: so many copies of its population side by side, each with prefixes of its own,
 * and time then stretched a little. That keeps each customer's pace, which thinning or speeding up would not.
 */
import type { Random } from '../../../../shared/random.ts';
import type { Trace, TraceRequest } from './trace.ts';

export type Arrival = TraceRequest &
  Readonly<{
    /** Which router it comes to. */
    router: number;
    /** What a router takes for a token's worth of text, over what it is: it sees text, not tokens. */
    tokenError: number;
  }>;

export type LoadOptions = Readonly<{
  requestsPerS: number;
  requestsMax: number;
  routers: number;
  /** Deviation of the logarithm of `tokenError`. */
  tokenErrorDeviation: number;
}>;

/** Copies start within so much of the first. */
const OFFSET_S_MAX = 60;
/** Each copy's sessions are its own. */
const SESSIONS = 2 ** 32;

export function makeLoad(trace: Trace, options: LoadOptions, random: Random): Arrival[] {
  const { requestsPerS, requestsMax } = options;
  const lastS = trace.requests.at(-1)?.atS ?? 0;
  const natural = lastS > 0 ? trace.requests.length / lastS : requestsPerS;
  const copies = Math.max(1, Math.floor(requestsPerS / natural + 0.5));
  const stretch = (natural * copies) / requestsPerS;
  const tooMany = trace.requests.length * copies > requestsMax * 1.05;
  // Only what can come to be among the first is copied, with all copies on by then.
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
