/** What the process of a router tells of itself without any cost to its requests. */
import { hostname } from 'node:os';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';

export type Vitals = Readonly<{
  host: string;
  pid: number;
  /** Its resident memory. */
  memoryBytes: number;
  /** For how much of the time since the reading before the event loop was busy, in thousandths. */
  loopPermille: number;
}>;

const HOST_CHARS_MAX = 253;

/** Returns a function that reads the vitals of this process. */
export function openVitals(): () => Vitals {
  const host = hostname().slice(0, HOST_CHARS_MAX);
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  return () => {
    const present = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(present, before);
    before = present;
    const loopPermille = Math.round(1_000 * utilization);
    return { host, pid: process.pid, memoryBytes: process.memoryUsage.rss(), loopPermille };
  };
}
