/**
 * Loaded into a router by `--import`. On SIGUSR2 it collects all garbage and appends a line to the
 * file that `HEAP_WATCH_FILE` names: what is left on the heap and, with `HEAP_WATCH_TIMERS`, how
 * many timers are set. The router's own metrics cannot show these, because they count garbage, and
 * no timer that lets the process end.
 */
import { appendFileSync } from 'node:fs';
import { memoryUsage } from 'node:process';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/** `outsideBytes`: buffers, which are outside of the heap. `timers`: 0 if they are not counted. */
export type HeapSeen = Readonly<{ heapBytes: number; outsideBytes: number; timers: number }>;

const { HEAP_WATCH_FILE: file, HEAP_WATCH_TIMERS: withTimers } = process.env;

if (file !== undefined && isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: { type: string; flavor: string }) => void;
  process.on('SIGUSR2', () => {
    // The last resort also returns to the machine what it frees.
    collect({ type: 'major', flavor: 'last-resort' });
    const { heapUsed, external } = memoryUsage();
    const timers = withTimers === undefined ? 0 : countTimers();
    const seen: HeapSeen = { heapBytes: heapUsed, outsideBytes: external, timers };
    appendFileSync(file, `${JSON.stringify(seen)}\n`);
  });
}

/**
 * This moves small buffers from the heap to memory of their own, which takes time and memory in
 * proportion to their number.
 */
function countTimers(): number {
  const timer = setTimeout(() => {}, 0);
  clearTimeout(timer);
  return queryObjects(timer.constructor, { format: 'count' });
}
