/**
 * The CPU time of processes, in nanoseconds, over all their threads. The scheduler's statistics of
 * each thread are exact, but those of a thread that has ended are gone. The clock of the process
 * still has that time, in ticks of 10 ms, so it is used when threads that ended took more than the
 * ticks can hide.
 */
import { readdirSync, readFileSync } from 'node:fs';

const TICK_NS = 10_000_000;
/** User time and system time are each cut to whole ticks, at the start and at the end. */
const ROUNDING_NS = 2 * TICK_NS;

export type CpuReading = Readonly<{
  /** The CPU time of each thread by its id; null where the kernel does not count it. */
  threadsNs: ReadonlyMap<string, number> | null;
  processNs: number;
}>;

/** Reads the clock of a process. Throws if the process has ended. */
export function readCpu(pid: number): CpuReading {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { threadsNs: readThreads(pid), processNs: ticks * TICK_NS };
}

function readThreads(pid: number): Map<string, number> | null {
  const threads = new Map<string, number>();
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const text = readOrNull(`/proc/${pid}/task/${id}/schedstat`);
    if (text !== null) threads.set(id, Number(text.split(' ', 1)[0]));
  }
  return threads.size === 0 ? null : threads;
}

/** The CPU time between two readings of one process. */
export function cpuBetween(before: CpuReading, after: CpuReading): number {
  const processNs = after.processNs - before.processNs;
  if (before.threadsNs === null || after.threadsNs === null) return processNs;
  let threadsNs = 0;
  for (const [id, ns] of after.threadsNs) {
    const earlier = before.threadsNs.get(id) ?? 0;
    // An id with less time than before belongs to a new thread.
    threadsNs += ns < earlier ? ns : ns - earlier;
  }
  return processNs - threadsNs > ROUNDING_NS ? processNs : threadsNs;
}

/** Returns null if the thread has ended, or if the kernel has no such file. */
function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
