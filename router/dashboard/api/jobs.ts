/** Background jobs, as operators see them. */
import type { Job } from '../../../shared/api/jobs.ts';
import { listQuery } from './lists.ts';

export const JOBS = ['platform', 'jobs'] as const;

const AGAIN_MS = 5_000;

export const jobsQuery = (state: Job['state'], kind: string | undefined) => ({
  ...listQuery<Job>(JOBS, '/jobs', { state, kind }),
  refetchInterval: AGAIN_MS,
});
