/** The attempts of a job and of its delivery in one list. */
import { expect, test } from 'vitest';
import { attemptsOf } from '../../../../../../router/dashboard/pages/operator/jobs/attempts.ts';
import type { JobDelivery, JobDetail } from '../../../../../../shared/api/jobs.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 28, 12, 0, second)).toISOString();

function attempt(started: number, ended: number, error: string | null = null) {
  return { started: at(started), ended: at(ended), router: 'rtr_1', error };
}

function job(own: JobDetail['attempt_log'], sent?: JobDelivery['attempt_log']) {
  const delivery = sent === undefined ? null : ({ attempt_log: sent } as unknown as JobDelivery);
  return { attempt_log: own, delivery };
}

test('without a delivery, the attempts of the job are listed with why they failed', () => {
  const listed = attemptsOf(job([attempt(8, 9), attempt(1, 3, 'no mail server')]));
  expect(listed).toMatchObject([
    { ended: at(9), tookMs: 1_000, result: 'done', error: null, router: 'rtr_1' },
    { ended: at(3), result: 'failed', error: 'no mail server' },
  ]);
});

test('an attempt of a delivery is listed once, with the answer and the router of its job', () => {
  const sent = [
    { at: at(12), status: 200, fault: null },
    { at: at(2), status: 500, fault: 'status' },
  ];
  const listed = attemptsOf(job([attempt(10, 12)], sent));
  expect(listed).toMatchObject([
    {
      tookMs: 2_000,
      result: 'delivered',
      answer: { status: 200 },
      router: 'rtr_1',
    },
    { tookMs: null, result: 'failed', answer: { status: 500, fault: 'status' }, router: null },
  ]);
});

test('an attempt that failed before it sent anything stands among those of its delivery', () => {
  const sent = [{ at: at(12), status: 200, fault: null }];
  const listed = attemptsOf(job([attempt(4, 5, 'the store was away')], sent));
  expect(listed.map(({ error, answer }) => answer?.status ?? error)).toEqual([
    200,
    'the store was away',
  ]);
});
