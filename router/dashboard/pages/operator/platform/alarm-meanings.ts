/** What the kinds of alarms mean for customers, where their sentence does not say it. */
import type { AlarmKind } from '../../../../../shared/alarm-runbooks.ts';
import type { PlatformAlarm } from '../../../../../shared/api/platform.ts';

/** `one`: of an alarm about a single model. */
type Meaning = string | Readonly<{ one: string; several: string }>;

const MEANINGS: Readonly<Partial<Record<AlarmKind, Meaning>>> = {
  no_worker: {
    one: 'Its requests are refused with status 503.',
    several: 'Their requests are refused with status 503.',
  },
  model_down: {
    one: 'Its requests are refused with status 503. The status page says so.',
    several: 'Their requests are refused with status 503. The status page says so.',
  },
  model_degraded: {
    one: 'Some of its requests fail or are slow. The status page says so.',
    several: 'Some of their requests fail or are slow. The status page says so.',
  },
  availability_low: 'These requests ended with a status of 5xx.',
  host_lost:
    'Requests go to other hosts. Models that no other host serves have an alarm of their own.',
  worker_not_ready: 'A worker gets no requests until its engine answers.',
  router_lost:
    'The credit that was held there is freed. Start the router again, unless it was stopped on purpose.',
  router_silent:
    'Its process may hang, or it cannot reach the store. Its own alarms are not known.',
  jobs_failed:
    'The work was not done: an email was not sent, or data was not erased. Remove the cause and try it again.',
  jobs_late: 'Emails, invoices and payments wait.',
};

/** Undefined for a kind without a meaning of its own, and for one of a later version. */
export function meaningOf({
  kind,
  models = [],
}: Pick<PlatformAlarm, 'kind' | 'models'>): string | undefined {
  if (!Object.hasOwn(MEANINGS, kind)) return undefined;
  const meaning = MEANINGS[kind as AlarmKind];
  if (meaning === undefined || typeof meaning === 'string') return meaning;
  return models.length === 1 ? meaning.one : meaning.several;
}
