/** The state of a job, and of the delivery that it was an attempt of. */
import { expect, test } from 'vitest';
import { jobState } from '../../../../../../router/dashboard/pages/operator/jobs/job-words.ts';

test('an attempt whose event was not accepted is no work that is done', () => {
  expect(jobState({ state: 'done', delivery_fault: null })).toMatchObject({ name: 'Done' });
  const failed = { state: 'done', delivery_fault: 'timeout' } as const;
  expect(jobState({ ...failed, delivery_next_attempt: null }).name).toBe('Not delivered');
  expect(jobState({ ...failed, delivery_next_attempt: '2026-11-30T04:00:00.000Z' }).name).toBe(
    'Retrying',
  );
  // A router of an earlier version does not say when the next attempt follows.
  expect(jobState(failed).name).toBe('Not delivered');
});
