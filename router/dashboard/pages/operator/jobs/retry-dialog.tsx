/** Tries a job again that was given up, or that waits for another attempt. */
import { useMutation } from '@tanstack/react-query';
import type { Job } from '../../../../../shared/api/jobs.ts';
import { send } from '../../../api/client.ts';
import { JOBS } from '../../../api/jobs.ts';
import { Confirm } from '../../../parts/form/dialog.tsx';
import { say } from '../../../parts/said.tsx';
import { jobName } from './job-words.ts';

export function RetryDialog({ job, onClose }: Readonly<{ job: Job; onClose: () => void }>) {
  const retry = useMutation({
    mutationFn: () => send('POST', `/jobs/${job.id}/retry`),
    meta: { refetch: [JOBS] },
    onSuccess: () => {
      say('The job is tried again');
      onClose();
    },
  });
  const isGivenUp = job.can_retry;
  const left = job.attempts_max - job.attempts;
  return (
    <Confirm
      onClose={onClose}
      title={isGivenUp ? 'Try this job again' : 'Try this job now'}
      action={isGivenUp ? 'Try again' : 'Try now'}
      mutation={retry}
      harmless
    >
      <p>
        {jobName(job)}
        {job.subject_name === null ? '' : ` for ${job.subject_name}`}. It runs at once.{' '}
        {isGivenUp
          ? `If it fails, it is tried again up to ${job.attempts_max} times.`
          : left === 1
            ? 'This is the last attempt.'
            : `This is one of the ${left} attempts that are left.`}{' '}
        Fix the cause first.
      </p>
    </Confirm>
  );
}
