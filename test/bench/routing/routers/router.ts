/** What the bench asks of a router: a worker for each request; and what a router hears in return. */
import type { Job } from '../model/job.ts';

export interface Router {
  /** The worker for this job; from here on it is under way there. */
  dispatch(job: Job): number;
  firstToken(job: Job): void;
  ended(job: Job): void;
  /** How often it is told the workers' loads, and that they are due. */
  readonly loadIntervalS: number;
  readLoads(): void;
  /** What it holds of prefixes, in bytes. */
  indexBytes(): number;
  /** Real time that each of its decisions took, bookkeeping included. */
  decisionsMs(): readonly number[];
}

/** As an agent reports while its load changes. */
export const LOAD_INTERVAL_S = 0.1;

export const HEARS_NOTHING = {
  firstToken: () => {},
  ended: () => {},
  loadIntervalS: LOAD_INTERVAL_S,
  readLoads: () => {},
  indexBytes: () => 0,
  decisionsMs: () => [],
} as const;
