import { enqueue, type NewJob } from '../../../router/jobs/queue.ts';
import type { Procedure } from '../../../router/store/procedure.ts';

/** Enqueues a job outside of the procedures that need one. */
export const enqueueJob: Procedure<NewJob, 'enqueued' | 'known'> = {
  name: 'enqueueJob',
  access: 'write',
  run: enqueue,
};
