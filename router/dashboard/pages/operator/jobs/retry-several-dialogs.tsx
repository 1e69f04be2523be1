/** Tries several jobs again: those that are selected, or all that were given up. */
import { useMutation, useQuery } from '@tanstack/react-query';
import type { JobsRetried, JobsRetry } from '../../../../../shared/api/jobs.ts';
import { JOBS_RETRIED_MAX } from '../../../../../shared/jobs.ts';
import { type Sent, send } from '../../../api/client.ts';
import { failedJobsQuery, JOBS, type JobsFilter } from '../../../api/jobs.ts';
import { shownCount } from '../../../format/count.ts';
import { Confirm } from '../../../parts/form/dialog.tsx';
import { say } from '../../../parts/said.tsx';
import { KIND_NAMES } from './job-words.ts';

type SelectedProps = Readonly<{ ids: readonly string[]; onClose: () => void }>;

export function RetrySelectedDialog({ ids, onClose }: SelectedProps) {
  const retry = useRetry(ids, onClose);
  return (
    <Confirm
      onClose={onClose}
      title={`Try ${jobs(ids.length)} again`}
      action={`Try ${jobs(ids.length)} again`}
      mutation={retry}
      harmless
    >
      <Meaning />
    </Confirm>
  );
}

type AllProps = Readonly<{ filter: JobsFilter; onClose: () => void }>;

/** The jobs are counted first, and those that were counted are tried again. */
export function RetryAllDialog({ filter, onClose }: AllProps) {
  const { kind, search } = filter;
  const found = useQuery(failedJobsQuery(filter));
  const failed = found.data?.data ?? [];
  const ids = failed.flatMap((job) => (job.can_retry ? job.id : []));
  const left = failed.length - ids.length;
  const retry = useRetry(ids, onClose);
  const { mutate, isPending } = retry;
  return (
    <Confirm
      onClose={onClose}
      title="Try all failed jobs again"
      action={found.data ? `Try ${jobs(ids.length)} again` : 'Counting'}
      mutation={{
        mutate,
        isPending: isPending || found.isPending,
        error: retry.error ?? found.error,
      }}
      harmless
    >
      {found.data && (
        <p>
          {`${jobs(ids.length)}${kind === undefined ? '' : ` of the kind ${nameOf(kind)}`}${search === undefined ? '' : ` found by “${search}”`} ${ids.length === 1 ? 'is' : 'are'} tried again.`}
          {left > 0 && ` ${jobs(left)} cannot be tried again and ${left === 1 ? 'stays' : 'stay'}.`}
          {found.data.has_more &&
            ` These are the latest ${shownCount(failed.length)} failed jobs. Repeat this for the others.`}
        </p>
      )}
      <Meaning />
    </Confirm>
  );
}

function Meaning() {
  return (
    <p>
      Each job runs at once. If it fails, it is tried again up to 12 times. Fix the cause of the
      failures first.
    </p>
  );
}

/** Repeating it after a fault tries no job twice. */
function useRetry(ids: readonly string[], onClose: () => void) {
  return useMutation({
    mutationFn: async () => {
      let retried = 0;
      for (let from = 0; from < ids.length; from += JOBS_RETRIED_MAX) {
        const some: Sent<typeof JobsRetry> = { jobs: ids.slice(from, from + JOBS_RETRIED_MAX) };
        retried += (await send<JobsRetried>('POST', '/jobs/retry', some)).retried;
      }
      return retried;
    },
    meta: { refetch: [JOBS] },
    onSuccess: (retried) => {
      say(`${jobs(retried)} ${retried === 1 ? 'is' : 'are'} tried again`);
      onClose();
    },
  });
}

function jobs(count: number): string {
  return `${shownCount(count)} ${count === 1 ? 'job' : 'jobs'}`;
}

function nameOf(kind: string): string {
  return Object.hasOwn(KIND_NAMES, kind) ? KIND_NAMES[kind as keyof typeof KIND_NAMES] : kind;
}
