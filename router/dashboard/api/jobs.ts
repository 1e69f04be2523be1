/** Background jobs, as operators see them. */
import { queryOptions } from '@tanstack/react-query';
import type { Job, JobCounts, JobDetail } from '../../../shared/api/jobs.ts';
import { get, type Page } from './client.ts';
import { listQuery } from './lists.ts';

export const JOBS = ['platform', 'jobs'] as const;

const AGAIN_MS = 5_000;

/** Undefined: no filter. */
export type JobsFilter = Readonly<{ kind: string | undefined; search: string | undefined }>;

export const jobsQuery = (state: Job['state'], filter: JobsFilter) => ({
  ...listQuery<Job>(JOBS, '/jobs', { state, ...filter }),
  refetchInterval: AGAIN_MS,
});

/** The latest jobs that were given up, at most as many as one page has. */
export const failedJobsQuery = (filter: JobsFilter) =>
  queryOptions({
    queryKey: [...JOBS, 'failed', filter],
    queryFn: ({ signal }) =>
      get<Page<Job>>('/jobs', { state: 'failed', ...filter, limit: 1000 }, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const jobCountsQuery = (filter: JobsFilter) =>
  queryOptions({
    queryKey: [...JOBS, 'counts', filter],
    queryFn: ({ signal }) => get<JobCounts>('/jobs/counts', filter, signal),
    refetchInterval: AGAIN_MS,
  });

export const jobQuery = (job: string) =>
  queryOptions({
    queryKey: [...JOBS, job],
    queryFn: ({ signal }) => get<JobDetail>(`/jobs/${job}`, {}, signal),
    refetchInterval: AGAIN_MS,
  });
