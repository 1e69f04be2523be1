/** `penstock admin job …` */
import { z } from 'zod';
import { JobIdText } from '../../shared/api/ids.ts';
import { Job, JOB_STATES } from '../../shared/api/jobs.ts';
import { command } from './command.ts';

const state = z.enum(JOB_STATES).default('failed');
const kind = z.string().min(1, 'is empty').max(60, 'has more than 60 characters').optional();

export const jobs = {
  list: command({ state, kind }, async ({ client, list }, flags) => {
    const wanted = { state: flags.state, kind: flags.kind };
    await list(client.pages('/jobs', Job, wanted), fields);
  }),
  retry: command({ job: JobIdText }, async ({ client, show }, flags) => {
    await show(await client.call('POST', `/jobs/${flags.job}/retry`, Job), fields);
  }),
};

function fields({ id, kind: what, email, subject, state: where, attempts, ...more }: Job) {
  return {
    id,
    kind: email === null ? what : `${what} (${email})`,
    for: more.subject_name ?? subject,
    state: where,
    attempts,
    'next attempt': more.next_attempt,
    ended: more.ended,
    'last error': more.last_error,
  };
}
