/**
 * The interface of the bench's routers: they choose a worker for each request, and receive events
 * in return.
 */
import type { Job } from '../model/job.ts';

export interface Router {
  /** Returns the worker for this job. From then on the job is in flight there. */
  dispatch(job: Job): number;
  firstToken(job: Job): void;
  ended(job: Job): void;
  /** The interval in seconds between two calls of `readLoads`. */
  readonly loadIntervalS: number;
  readLoads(): void;
  /** The memory of its prefix index, in bytes. */
  indexBytes(): number;
  /** The real time of each of its decisions, including bookkeeping. */
  decisionsMs(): readonly number[];
}

/** The interval of an agent's reports while its load changes. */
export const LOAD_INTERVAL_S = 0.1;

export const HEARS_NOTHING = {
  firstToken: () => {},
  ended: () => {},
  loadIntervalS: LOAD_INTERVAL_S,
  readLoads: () => {},
  indexBytes: () => 0,
  decisionsMs: () => [],
} as const;
