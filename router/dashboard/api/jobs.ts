/** Background jobs, as operators see them. */
import { queryOptions } from '@tanstack/react-query';
import type { Job, JobCounts, JobDetail } from '../../../shared/api/jobs.ts';
import { get, type Page } from './client.ts';
import { listQuery } from './lists.ts';

export const JOBS = ['platform', 'jobs'] as const;

const AGAIN_MS = 5_000;

export const jobsQuery = (state: Job['state'], kind: string | undefined) => ({
  ...listQuery<Job>(JOBS, '/jobs', { state, kind }),
  refetchInterval: AGAIN_MS,
});

/** The latest jobs that were given up, at most as many as one page has. */
export const failedJobsQuery = (kind: string | undefined) =>
  queryOptions({
    queryKey: [...JOBS, 'failed', kind],
    queryFn: ({ signal }) =>
      get<Page<Job>>('/jobs', { state: 'failed', kind, limit: 1000 }, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const jobCountsQuery = queryOptions({
  queryKey: [...JOBS, 'counts'],
  queryFn: ({ signal }) => get<JobCounts>('/jobs/counts', {}, signal),
  refetchInterval: AGAIN_MS,
});

export const jobQuery = (job: string) =>
  queryOptions({
    queryKey: [...JOBS, job],
    queryFn: ({ signal }) => get<JobDetail>(`/jobs/${job}`, {}, signal),
    refetchInterval: AGAIN_MS,
  });
