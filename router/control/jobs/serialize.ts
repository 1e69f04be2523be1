/** Jobs as the API writes them. */
import type { Job, JobAttempt, JobDelivery, JobDetail, JobFact } from '../../../shared/api/jobs.ts';
import { jobAttempts } from './attempts.ts';
import { shownFault } from '../../jobs/faults.ts';
import type { ListedJob } from '../../jobs/list.ts';
import { ATTEMPTS_MAX } from '../../jobs/queue.ts';
import { instantOrNull, isoInstant } from '../api.ts';
import type { Names } from '../audit/names.ts';
import { LETTER } from '../mail/letter.ts';
import { deliveryAttempts } from '../webhooks/attempts-shown.ts';
import type { FoundJob, ReadDelivery } from './detail.ts';
import type { NamedJobs } from './procedures.ts';
import { whyNotRetriable } from './retriable.ts';

/** Which email a job sends; null: it sends none. */
export function emailOf({
  kind,
  idempotency_key,
}: Pick<ListedJob, 'kind' | 'idempotency_key'>): string | null {
  return kind === LETTER ? (idempotency_key.split('/')[1] ?? null) : null;
}

/** `now`: in ms since the epoch. */
export function shownJob(
  row: ListedJob,
  { names, owners, faults }: Omit<NamedJobs, 'rows'>,
  now: number,
): Job {
  const { id, kind, subject, state, attempts, run_at, created, ended } = row;
  const { last_error, attempt_log } = row;
  const owner = owners.get(subject);
  const email = emailOf(row);
  const isRetriable = whyNotRetriable({ kind, email }) === null;
  const failed = faults.get(id);
  const last = state === 'done' ? jobAttempts(attempt_log).at(-1) : undefined;
  return {
    id,
    kind,
    email,
    // An email to an address that nobody has is for nobody.
    subject: subject === 'nobody' ? null : subject,
    subject_name: names.get(subject)?.name ?? null,
    subject_organization:
      owner === undefined ? null : { id: owner, name: names.get(owner)?.name ?? null },
    state,
    attempts: Number(attempts),
    attempts_max: Number(ATTEMPTS_MAX),
    created: isoInstant(created),
    next_attempt: state === 'waiting' ? isoInstant(run_at) : null,
    ended: instantOrNull(ended),
    last_error: shownFault(last_error),
    recipients: last?.recipients ?? null,
    unsent: last?.unsent ?? null,
    delivery_fault: failed?.fault ?? null,
    delivery_next_attempt: instantOrNull(failed?.next ?? null),
    can_retry: state === 'failed' && isRetriable,
    can_try_now: state === 'waiting' && attempts > 0n && run_at > now && isRetriable,
  };
}

export function shownDetail(found: FoundJob, now: number): JobDetail {
  const { job, facts, factNames, delivery } = found;
  return {
    ...shownJob(job, found, now),
    retry_refusal:
      job.state === 'failed' ? whyNotRetriable({ kind: job.kind, email: emailOf(job) }) : null,
    attempt_log: jobAttempts(job.attempt_log)
      .toReversed()
      .map(
        ({ started, ended, router, fault }): JobAttempt => ({
          started: started === null ? null : new Date(started).toISOString(),
          ended: new Date(ended).toISOString(),
          router,
          error: shownFault(fault),
        }),
      ),
    run:
      job.leased_by === null
        ? null
        : { started: instantOrNull(job.leased_at), router: job.leased_by },
    facts: facts.map(
      ({ name, value }): JobFact => ({
        name,
        value,
        value_name: factNames.get(value)?.name ?? null,
      }),
    ),
    delivery: delivery && shownDelivery(delivery, factNames),
  };
}

function shownDelivery(delivery: ReadDelivery, names: Names): JobDelivery {
  const { id, organization, webhook, event, type, state } = delivery;
  return {
    id,
    organization,
    webhook,
    host: names.get(webhook)?.name ?? null,
    event,
    type,
    state,
    attempts: Number(delivery.attempts),
    created: isoInstant(delivery.created),
    next_attempt: instantOrNull(delivery.next_attempt),
    attempt_log: deliveryAttempts(delivery.attempt_log).map(({ at, status, fault }) => ({
      at: new Date(at).toISOString(),
      status,
      fault,
    })),
  };
}
