/**
 * The browser's clock, which no other file of the dashboard reads. Only effects and queries use
 * timers.
 */

/** Wall clock, in ms since the epoch. */
export function now(): number {
  return Date.now();
}

/** Milliseconds, with a fraction, since an arbitrary start; for durations. */
export function monotonic(): number {
  return performance.now();
}

/** Calls `run` every `ms` milliseconds until the returned function is called. */
export function every(ms: number, run: () => void): () => void {
  const timer = setInterval(run, ms);
  return () => clearInterval(timer);
}

/** Calls `run` once after `ms` milliseconds; the returned function cancels the call. */
export function after(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
