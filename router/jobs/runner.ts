/**
 * Runs the background jobs that are queued in the store (MONEY 26): leases the due jobs to this
 * router's incarnation, runs their handlers, and records the results. A job whose handler throws is
 * retried later, so a handler must tolerate being started more than once.
 */
import type { Clock, Timer } from '../../shared/clock.ts';
import type { IncarnationId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import { StoreUnavailable } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import { type Backlog, isAnyJobDue, readBacklog } from './backlog.ts';
import { JobFault, storedFault } from './faults.ts';
import { failJob, finishJob, type Job, type JobOutcome, leaseJobs, releaseJobs } from './queue.ts';
import type { Lane } from './lanes.ts';

/** What it returns is kept with the attempt. */
export type JobHandler = (job: Job) => Promise<JobOutcome | void>;

export type RunnerParts = Readonly<{
  store: Pick<Store, 'call'>;
  clock: Clock;
  log: Log;
  incarnation: () => IncarnationId;
  /** While this returns true, no job is leased. */
  isPaused?: () => boolean;
  lane: Lane;
  /**
   * Finds which due jobs to take, at most `limit`, in their order. The lane `others` takes the longest
   * due ones without it.
   */
  findDue?: ((limit: number) => Promise<readonly string[]>) | undefined;
  /** How many run at once on this router. */
  atOnceMax?: number | undefined;
  /** Called with the result of each run. */
  onJob?: ((kind: string, result: JobResult) => void) | undefined;
}>;

/** `retried`: the job failed and is tried again. `failed`: that was its last attempt. */
export type JobResult = 'done' | 'retried' | 'failed';

const LOOK_EVERY_MS = 1_000;
const RELEASE_EVERY_LOOKS = 10;
export const AT_ONCE_MAX = 8;

export class JobRunner implements AsyncDisposable {
  readonly #parts: RunnerParts;
  readonly #handlers: Readonly<Record<string, JobHandler>>;
  readonly #looks: Timer;
  readonly #running = new Set<Promise<void>>();
  /**
   * Results of jobs that could not be written to the store yet. Until a result is written, the job
   * stays leased for as long as this router runs.
   */
  readonly #unreported = new Set<() => Promise<unknown>>();
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #looked = 0;
  #backlog: Backlog = { due: 0, oldest: null };
  #closed = false;

  constructor(parts: RunnerParts, handlers: Readonly<Record<string, JobHandler>>) {
    this.#parts = parts;
    this.#handlers = handlers;
    this.#looks = parts.clock.every(LOOK_EVERY_MS, () => void this.look());
  }

  /**
   * Looks for due jobs now, without waiting for the next tick. Call it after enqueueing a job.
   * Never rejects.
   */
  look(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    if (this.#looking) {
      this.#lookAgain = true;
      return this.#looking;
    }
    this.#looking = this.#look().finally(() => {
      this.#looking = null;
      if (!this.#lookAgain) return;
      this.#lookAgain = false;
      void this.look();
    });
    return this.#looking;
  }

  /** The due jobs of this runner's lane on all routers, as last counted some seconds ago. */
  get backlog(): Backlog {
    return this.#backlog;
  }

  /** Resolves when no leased job is running, and no look is under way that may lease one. */
  async idle(): Promise<void> {
    while (this.#looking || this.#running.size > 0) {
      await this.#looking;
      await Promise.all(this.#running);
    }
  }

  async #look(): Promise<void> {
    const { store, clock, log, incarnation, lane, findDue, atOnceMax = AT_ONCE_MAX } = this.#parts;
    try {
      await this.#reportEndings();
      if (this.#parts.isPaused?.()) return;
      if (this.#looked++ % RELEASE_EVERY_LOOKS === 0) {
        await store.call(releaseJobs, { now: clock.now() });
        this.#backlog = await store.call(readBacklog, { now: clock.now(), lane });
      }
      const limit = atOnceMax - this.#running.size - this.#unreported.size;
      if (limit <= 0 || !(await store.call(isAnyJobDue, { now: clock.now() }))) return;
      const due = findDue ? await findDue(limit) : limit;
      if (typeof due !== 'number' && due.length === 0) return;
      const lease = { incarnation: incarnation(), now: clock.now(), due };
      for (const job of await store.call(leaseJobs, lease)) this.#start(job, lease.incarnation);
    } catch (error) {
      if (error instanceof StoreUnavailable) return;
      log.error({ err: error }, 'failed to release or lease jobs');
    }
  }

  #start(job: Job, incarnation: IncarnationId): void {
    const running = this.#do(job, incarnation).finally(() => {
      this.#running.delete(running);
      void this.look();
    });
    this.#running.add(running);
  }

  async #do(job: Job, incarnation: IncarnationId): Promise<void> {
    const { store, clock, log } = this.#parts;
    const about = { job: job.id, kind: job.kind, attempt: job.attempts };
    const lease = () => ({ job: job.id, incarnation, now: clock.now() });
    const tell = (state: 'done' | 'waiting' | 'failed' | 'gone') => {
      if (state !== 'gone') this.#parts.onJob?.(job.kind, state === 'waiting' ? 'retried' : state);
    };
    let report: () => Promise<void>;
    try {
      const handler = this.#handlers[job.kind];
      if (!handler) throw new JobFault('no_handler');
      const outcome = (await handler(job)) ?? {};
      report = async () => tell(await store.call(finishJob, { ...lease(), ...outcome }));
    } catch (error) {
      log.warn({ ...about, err: error }, 'job failed');
      const fault = storedFault(error);
      report = async () => tell(await store.call(failJob, { ...lease(), error: fault }));
    }
    try {
      await report();
    } catch (error) {
      log.warn({ ...about, err: error }, 'failed to record the result of a job; it is tried again');
      this.#unreported.add(report);
    }
  }

  /** Reporting a result twice is safe: the store ignores a result from a lease that has ended. */
  async #reportEndings(): Promise<void> {
    for (const report of this.#unreported) {
      try {
        await report();
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        // Drop a result that failed for any other reason than an outage, so that it does not block
        // the results behind it.
        this.#parts.log.error(
          { err: error },
          'failed to record the result of a job; it was dropped',
        );
      }
      this.#unreported.delete(report);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#looks.cancel();
    await this.idle();
  }
}
