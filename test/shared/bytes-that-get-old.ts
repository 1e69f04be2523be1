/**
 * A thread that measures how many bytes of what was in flight and deleted get old. It has a heap of its
 * own, so that what other tests left in theirs does not count.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { InFlight, InFlightByNumber } from '../../shared/in-flight.ts';

export type BytesThatGetOld = Readonly<{ kept: number; left: number; leftNumbered: number }>;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'major' | 'minor' }) => void;

/** Bytes that get old while 40,000 items of about a kilobyte come and go, sixteen at a time. */
function bytesThatGetOld(add: (number: number, item: object) => () => void): number {
  const oldBytes = () =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')
      ?.space_used_size ?? Number.NaN;
  const inFlight: (() => void)[] = [];
  let gotOld = 0;
  const pass = (from: number, to: number) => {
    for (let number = from; number < to; number++) {
      inFlight.push(add(number, { much: Array.from({ length: 128 }, () => number) }));
      if (inFlight.length > 16) inFlight.shift()?.();
      if (number % 500 > 0) continue;
      const before = oldBytes();
      collect({ type: 'minor' });
      gotOld += Math.max(0, oldBytes() - before);
    }
  };
  pass(0, 10_000);
  collect({ type: 'major' });
  gotOld = 0;
  pass(10_000, 50_000);
  return gotOld;
}

const map = new Map<number, object>();
const kept = bytesThatGetOld((number, item) => {
  map.set(number, item);
  return () => map.delete(number);
});
const places = new InFlight<object>();
const left = bytesThatGetOld((_number, item) => {
  const place = places.add(item);
  return () => places.delete(place, item);
});
const numbered = new InFlightByNumber<object>();
const leftNumbered = bytesThatGetOld((number, item) => {
  numbered.add(number, item);
  return () => numbered.delete(number);
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
parentPort?.postMessage({ kept, left, leftNumbered } satisfies BytesThatGetOld);
