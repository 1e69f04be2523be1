/**
 * Writes to this router's row in the store what it has served in the last minute and how its process
 * is, for the operators' list of routers. A router that is killed leaves figures behind, which soon
 * are too old to be shown.
 */
import type { Clock, Timer } from '../../../shared/clock.ts';
import type { IncarnationId } from '../../../shared/ids.ts';
import type { Log } from '../../../shared/log.ts';
import { StoreUnavailable } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { writtenAgents } from './connected-agents.ts';
import { copyOf, PeriodSums, type RouterTotals } from './periods.ts';
import { recordReport } from './procedures.ts';
import type { Vitals } from './vitals.ts';

export const REPORT_MS = 10_000;
/** The totals of this many reports before span a minute. */
const REPORTS_PER_MINUTE = 6;

export type RouterReportsParts = Readonly<{
  /** They only grow. */
  totals: RouterTotals;
  vitals: () => Vitals;
  /** What the router sees that may need an operator. It is written as JSON. */
  noticed: () => unknown;
  /** The ids of the agents that are connected. */
  agents: () => readonly string[];
  /** Aborts when the router begins to drain. */
  draining: AbortSignal;
  /** The present id of this router, which changes when its peers have declared it dead. */
  router: () => IncarnationId;
  store: Pick<Store, 'call'>;
  /** The store's time. While it has a fault, nothing is written. */
  clock: Clock & Readonly<{ fault?: string | null }>;
  log: Log;
}>;

export class RouterReports implements AsyncDisposable {
  readonly #parts: RouterReportsParts;
  readonly #timer: Timer;
  /** A report that is being written does not have it yet. */
  readonly #onDraining = () => {
    if (this.#writing === null) this.#report();
    else void this.#writing.then(() => this.#report());
  };
  /** The totals of the last minute, the oldest first. */
  readonly #before: RouterTotals[];
  #recent = { requests: 0, errors: 0, tokens: 0 };
  readonly #periods: PeriodSums;
  #storeMs: number | null = null;
  #running: number | null = null;
  #writing: Promise<void> | null = null;

  constructor(parts: RouterReportsParts) {
    this.#parts = parts;
    this.#before = [copyOf(parts.totals)];
    this.#periods = new PeriodSums(parts.clock.now(), parts.totals);
    this.#timer = parts.clock.every(REPORT_MS, () => this.#tick());
    parts.draining.addEventListener('abort', this.#onDraining, { once: true });
  }

  /** Resolves when the write that is under way has ended. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    this.#parts.draining.removeEventListener('abort', this.#onDraining);
    await this.#writing;
  }

  #tick(): void {
    const totals = copyOf(this.#parts.totals);
    const [oldest = totals] = this.#before;
    this.#before.push(totals);
    if (this.#before.length > REPORTS_PER_MINUTE) this.#before.shift();
    this.#recent = {
      requests: totals.requests - oldest.requests,
      errors: totals.errors - oldest.errors,
      tokens: totals.tokens - oldest.tokens,
    };
    this.#report();
  }

  #report(): void {
    if (this.#parts.clock.fault) return;
    // A write that waits for the store is not overtaken: the next one has later figures.
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  async #write(): Promise<void> {
    const { totals, store, clock, vitals, noticed, draining, log } = this.#parts;
    const router = this.#parts.router();
    const agents = this.#parts.agents();
    const { loopDelayMs, ...process } = vitals();
    const period = this.#periods.at(clock.now(), router, copyOf(totals), {
      storeMs: this.#storeMs,
      memoryBytes: process.memoryBytes,
      loopDelayMs,
      running: this.#running,
    });
    const begun = clock.monotonic();
    try {
      this.#running = await store.call(recordReport, {
        router,
        ...this.#recent,
        ...process,
        storeMs: this.#storeMs,
        agents: agents.length,
        agentIds: writtenAgents(agents),
        period,
        isDraining: draining.aborted,
        noticed: JSON.stringify(noticed()),
        now: clock.now(),
      });
      this.#periods.written();
      this.#storeMs = Math.round(clock.monotonic() - begun);
    } catch (error) {
      if (error instanceof StoreUnavailable) return;
      log.error({ err: error }, 'the report of this router could not be written');
    }
  }
}
