/** Time, injected: outside this file nobody reads a clock or sets a timer. */

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Wall clock, in ms since the epoch: for what people read, never for decisions. */
  now(): number;
  /** Milliseconds with a fraction, from an arbitrary start; never goes back. */
  monotonic(): number;
  /** Calls `run` once after `ms`; it does not keep the process alive. */
  after(ms: number, run: () => void): Timer;
  /** Calls `run` each `ms` until cancelled; it does not keep the process alive. */
  every(ms: number, run: () => void): Timer;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run) {
    const handle = setTimeout(run, ms).unref();
    return { cancel: () => clearTimeout(handle) };
  },
  every(ms, run) {
    const handle = setInterval(run, ms).unref();
    return { cancel: () => clearInterval(handle) };
  },
};

/** Resolves after `ms`, or at once when `signal` aborts: the caller looks at the signal. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const wake = () => {
      timer.cancel();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = clock.after(ms, wake);
    signal?.addEventListener('abort', wake, { once: true });
  });
}

/** Unix time in whole seconds, as the public API writes it. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
