/** What the bench asks of a router: a worker for each request; and what a router hears in return. */
import type { Job } from '../model/job.ts';

export interface Router {
  /** The worker for this job; from here on it is under way there. */
  dispatch(job: Job): number;
  firstToken(job: Job): void;
  ended(job: Job): void;
  /** The workers' reports are due. */
  readLoads(): void;
  /** What it holds of prefixes, in bytes. */
  indexBytes(): number;
  /** Real time that each of its decisions took, bookkeeping included. */
  decisionsMs(): readonly number[];
}

export const HEARS_NOTHING = {
  firstToken: () => {},
  ended: () => {},
  readLoads: () => {},
  indexBytes: () => 0,
  decisionsMs: () => [],
} as const;
