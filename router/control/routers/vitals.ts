/** What the process of a router tells of itself without any cost to its requests. */
import { hostname } from 'node:os';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { LoopDelay } from '../../../shared/loop-delay.ts';

export type Vitals = Readonly<{
  host: string;
  pid: number;
  /** Its resident memory. */
  memoryBytes: number;
  /** For how much of the time since the reading before the event loop was busy, in thousandths. */
  loopPermille: number;
  /** By how much its event loop was late in that time: the 99th percentile, in ms. */
  loopDelayMs: number;
}>;

const HOST_CHARS_MAX = 253;

/** Returns a function that reads the vitals of this process. */
export function openVitals(): () => Vitals {
  const host = hostname().slice(0, HOST_CHARS_MAX);
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  const delay = new LoopDelay();
  return () => {
    const present = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(present, before);
    before = present;
    const loopPermille = Math.round(1_000 * utilization);
    const loopDelayMs = Math.round(delay.take(99));
    const memoryBytes = process.memoryUsage.rss();
    return { host, pid: process.pid, memoryBytes, loopPermille, loopDelayMs };
  };
}
