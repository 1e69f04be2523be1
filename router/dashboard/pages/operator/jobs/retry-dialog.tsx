/** Tries a job again that was given up. */
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
  return (
    <Confirm
      onClose={onClose}
      title="Try this job again"
      action="Try again"
      mutation={retry}
      harmless
    >
      <p>
        {jobName(job)}
        {job.subject_name === null ? '' : ` for ${job.subject_name}`}. It runs at once. If it fails,
        it is tried again up to {job.attempts_max} times. Fix the cause first.
      </p>
    </Confirm>
  );
}
