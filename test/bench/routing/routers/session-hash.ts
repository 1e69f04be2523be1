/**
 * Consistent hashing of sessions with bounded loads (Mirrokni, Thorup, Zadimoghaddam 2018): the
 * first worker on the ring from the session's point that has less than 1.25 times its share of all
 * requests in flight.
 */
import { mixed } from './prompt.ts';
import { HEARS_NOTHING, type Router } from './router.ts';

const LOAD_MAX = 1.25;
const POINTS_PER_WORKER = 100;

export function sessionHash(workers: number): Router {
  const ring = ringOf(workers);
  const inFlight = Array.from({ length: workers }, () => 0);
  let total = 0;
  return {
    ...HEARS_NOTHING,
    dispatch({ ask: { session } }) {
      const most = Math.ceil((LOAD_MAX * (total + 1)) / workers);
      const from = firstAtOrAfter(
        ring,
        mixed(session % 2 ** 32, 1 + Math.floor(session / 2 ** 32)),
      );
      for (let step = 0; step < ring.length; step++) {
        const { worker } = ring[(from + step) % ring.length] as Point;
        const load = inFlight[worker] as number;
        if (load >= most) continue;
        inFlight[worker] = load + 1;
        total += 1;
        return worker;
      }
      throw new Error('all have more than their mean');
    },
    ended({ worker }) {
      inFlight[worker] = (inFlight[worker] as number) - 1;
      total -= 1;
    },
  };
}

type Point = Readonly<{ at: number; worker: number }>;

function ringOf(workers: number): Point[] {
  const points = Array.from({ length: workers * POINTS_PER_WORKER }, (_, point) => ({
    at: mixed(point, 7),
    worker: point % workers,
  }));
  return points.toSorted((one, other) => one.at - other.at);
}

/**
 * Returns the index of the first point at or after `at`, by binary search, or the ring's length
 * beyond the last point.
 */
function firstAtOrAfter(ring: readonly Point[], at: number): number {
  let low = 0;
  let high = ring.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ring[middle] as Point).at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
