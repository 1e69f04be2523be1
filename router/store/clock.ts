/**
 * The store's time, for everything that routers share: rate windows, months, leases, expiry. It is
 * the database's clock: it is read every five seconds, and in between the time on this machine's
 * monotonic clock is added. So a wall clock that is wrong or jumps changes nothing. A router whose
 * own clock is far off, or whose database has an implausible clock, reports that and takes no new
 * work.
 */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { Store } from './store.ts';
import { noteTime, readTime } from './time.ts';

const MEASURE_EVERY_MS = 5_000;
const NOTE_EVERY_MS = 60_000;
/** A larger difference is logged. */
const OFFSET_TOLD_MS = 1_000;
/** A clock that is further off, or leaps further, is wrong. */
const OFFSET_MS_MAX = 60_000;
/** A measurement that took longer is too inexact, and is ignored. */
const MEASURED_IN_MS_MAX = 2_000;
/**
 * If no router ran for longer, the store's time is not trusted until an operator accepts it: a
 * wrong time would close whole months.
 */
const GAP_MS_MAX = 32 * 24 * 60 * 60 * 1000;

export type StoreClockParts = Readonly<{
  store: Pick<Store, 'call'>;
  /** This machine's clock. */
  local: Clock;
  /** ms since this machine was started, including the time that it was suspended. */
  sinceBoot: () => number;
  log: Log;
}>;

type Reference = Readonly<{ at: number; sinceBoot: number }>;

export class StoreClock implements Clock, Disposable {
  readonly #parts: StoreClockParts;
  /** The store's time when the monotonic clock was at 0. */
  #base: number;
  #reference: Reference | null = null;
  #fault: string | null = null;
  #notedAt = Number.NEGATIVE_INFINITY;
  #isOff = false;
  #timer: Timer | null = null;

  private constructor(parts: StoreClockParts) {
    this.#parts = parts;
    this.#base = parts.local.now() - parts.local.monotonic();
  }

  /** Rejects with StoreUnavailable when the store's time cannot be read. */
  static async open(parts: StoreClockParts): Promise<StoreClock> {
    const clock = new StoreClock(parts);
    await clock.measure();
    return clock;
  }

  now(): number {
    return Math.floor(this.#base + this.#parts.local.monotonic());
  }

  monotonic(): number {
    return this.#parts.local.monotonic();
  }

  after(ms: number, run: () => void, hold?: 'hold'): Timer {
    return this.#parts.local.after(ms, run, hold);
  }

  every(ms: number, run: () => void): Timer {
    return this.#parts.local.every(ms, run);
  }

  /** How many ms this machine's clock is ahead of the store's. */
  get offsetMs(): number {
    return this.#parts.local.now() - this.now();
  }

  /** Why this router must take no new work; null: its time is right. */
  get fault(): string | null {
    return this.#fault;
  }

  /** Starts to measure every five seconds. */
  watch(): void {
    this.#timer ??= this.#parts.local.every(MEASURE_EVERY_MS, () => {
      this.measure().catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, "failed to measure the store's time");
      });
    });
  }

  async measure(): Promise<void> {
    const { store, local } = this.#parts;
    const sent = { at: local.monotonic(), sinceBoot: this.#parts.sinceBoot() };
    const { now, seen } = await store.call(readTime, null);
    const tookMs = local.monotonic() - sent.at;
    const isFirst = this.#reference === null;
    if (tookMs > MEASURED_IN_MS_MAX && !isFirst) return;
    const leap = this.#follow(now - (sent.at + tookMs / 2), tookMs / 2, sent);
    this.#judge(leap, seen);
    if (this.#fault !== null || sent.at - this.#notedAt < NOTE_EVERY_MS) return;
    await store.call(noteTime, this.now());
    this.#notedAt = sent.at;
  }

  /**
   * Adopts a measurement and returns 0. If the store's clock has leapt, adopts nothing and returns
   * by how many ms.
   */
  #follow(base: number, uncertainMs: number, sent: Reference): number {
    const before = this.#reference;
    const leap = base - this.#base;
    if (before !== null && Math.abs(leap) > OFFSET_MS_MAX) {
      // The monotonic clock stands still while the machine is suspended.
      const slept = sent.sinceBoot - before.sinceBoot - (sent.at - before.at);
      if (Math.abs(leap - slept) > OFFSET_MS_MAX) return leap;
    }
    // A difference within the error of measurement changes nothing.
    if (before === null || Math.abs(leap) > uncertainMs) this.#base = base;
    this.#reference = sent;
    return 0;
  }

  #judge(leap: number, seen: number | null): void {
    const { log } = this.#parts;
    const fault = leap === 0 ? this.#faultOf(seen) : leapt(leap);
    if (fault !== null && this.#fault === null)
      log.error({ fault }, 'router stopped accepting new work because a clock is wrong');
    if (fault === null && this.#fault !== null)
      log.info('router resumed accepting new work because the clocks are right again');
    this.#fault = fault;
    // The time is wrong, but it did not leap: adopt the next measurement, whatever its step.
    if (fault !== null && leap === 0) this.#reference = null;
    const { offsetMs } = this;
    const isOff = Math.abs(offsetMs) > OFFSET_TOLD_MS;
    if (isOff && !this.#isOff)
      log.warn({ offsetMs }, "this machine's clock differed from the store's");
    this.#isOff = isOff;
  }

  #faultOf(seen: number | null): string | null {
    const { offsetMs } = this;
    if (Math.abs(offsetMs) > OFFSET_MS_MAX) {
      return `this machine's clock is ${seconds(offsetMs)} off from the store's: set it right (NTP)`;
    }
    const since = seen === null ? 0 : this.now() - seen;
    if (since < -OFFSET_MS_MAX) {
      return `the store's clock is ${seconds(-since)} behind the time at which a router last ran on it: ${HOW}`;
    }
    if (since > GAP_MS_MAX) {
      return `the store's clock is ${seconds(since)} after the time at which a router last ran on it: ${HOW}`;
    }
    return null;
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
  }
}

const HOW =
  'set it right; or, if it is right, stop the routers, run `penstock fleet settings --accept`, and start them again';

function leapt(leap: number): string {
  return `the store's clock leapt by ${seconds(leap)} while this router ran: set it right, or start the router again`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
