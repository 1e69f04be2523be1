/** The browser's clock: the only file of the dashboard that reads one. Timers are those of effects and of queries. */

/** Wall clock, in ms since the epoch. */
export function now(): number {
  return Date.now();
}

/** Milliseconds with a fraction, from an arbitrary start; for durations. */
export function monotonic(): number {
  return performance.now();
}

/** Calls `run` each `ms`; the answer ends it. */
export function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
}

/** Calls `run` once after `ms`; the answer calls it off. */
export function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
