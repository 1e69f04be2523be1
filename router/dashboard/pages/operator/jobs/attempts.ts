/** The attempts of a job in one list, with those of its delivery, of which each is a job of its own. */
import type { JobAttempt, JobDelivery, JobDetail } from '../../../../../shared/api/jobs.ts';

type Answer = JobDelivery['attempt_log'][number];

export type ListedAttempt = Readonly<{
  /** ISO 8601. */
  ended: string;
  /** Null if it is not known. */
  tookMs: number | null;
  result: 'done' | 'delivered' | 'failed';
  /** Why the job failed. */
  error: string | null;
  /** What the endpoint answered, for an attempt that sent the event. */
  answer: Readonly<{ status: Answer['status']; fault: Answer['fault'] }> | null;
  /** The id of the router that ran it. Null for an attempt of another job. */
  router: string | null;
}>;

/** The newest first. */
export function attemptsOf({
  attempt_log: own,
  delivery,
}: Pick<JobDetail, 'attempt_log' | 'delivery'>): readonly ListedAttempt[] {
  const sent = (delivery?.attempt_log ?? []).map(({ at, ...answer }) => ({
    at,
    answer,
    attempt: own.find((one) => isDuring(at, one)) ?? null,
  }));
  // A job that failed before it sent anything has no attempt in its delivery.
  const others = own.filter((attempt) => sent.every((one) => one.attempt !== attempt));
  return [
    ...sent.map(({ at, answer, attempt }) => ({
      ended: at,
      tookMs: attempt && tookMs(attempt),
      result: answer.fault === null ? ('delivered' as const) : ('failed' as const),
      error: null,
      answer,
      router: attempt?.router ?? null,
    })),
    ...others.map((attempt) => ({
      ended: attempt.ended,
      tookMs: tookMs(attempt),
      result: attempt.error === null ? ('done' as const) : ('failed' as const),
      error: attempt.error,
      answer: null,
      router: attempt.router,
    })),
  ].toSorted((a, b) => Date.parse(b.ended) - Date.parse(a.ended));
}

function isDuring(at: string, { started, ended }: JobAttempt): boolean {
  const time = Date.parse(at);
  return started !== null && time >= Date.parse(started) && time <= Date.parse(ended);
}

function tookMs({ started, ended }: JobAttempt): number | null {
  return started === null ? null : Date.parse(ended) - Date.parse(started);
}
