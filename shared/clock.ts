/** Injected time. No other file on a server reads a clock or sets a timer. */
import { uptime } from 'node:os';

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /**
   * Wall clock, in ms since the epoch. It may leap, so what routers share uses the store's clock
   * (`router/store/clock.ts`).
   */
  now(): number;
  /** Milliseconds with a fraction, from an arbitrary start; never goes back. */
  monotonic(): number;
  /** Calls `run` once after `ms`. The timer keeps the process alive only with `hold`. */
  after(ms: number, run: () => void, hold?: 'hold'): Timer;
  /** Calls `run` every `ms` until cancelled. The timer does not keep the process alive. */
  every(ms: number, run: () => void): Timer;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run, hold) {
    const handle = setTimeout(run, ms);
    if (hold === undefined) handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
  every(ms, run) {
    const handle = setInterval(run, ms).unref();
    return { cancel: () => clearInterval(handle) };
  },
};

/**
 * Returns the ms since this machine was started. It includes the time that the machine slept, which
 * `monotonic` leaves out.
 */
export function sinceBoot(): number {
  return uptime() * 1000;
}

/** Resolves after `ms`, or at once when `signal` aborts. The caller has to check the signal. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const wake = () => {
      timer.cancel();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    // The process must not end while a caller waits here.
    const timer = clock.after(ms, wake, 'hold');
    signal?.addEventListener('abort', wake, { once: true });
  });
}

/** Unix time in whole seconds, as the public API writes it. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}
