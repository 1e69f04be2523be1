/** What the kinds of alarms mean for customers, where their sentence does not say it. */
import type { PlatformAlarm } from '../../../../../shared/api/platform.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  no_worker: 'Their requests are refused with status 503.',
  model_down: 'Their requests are refused with status 503. The status page says so.',
  model_degraded: 'Some of their requests fail or are slow. The status page says so.',
  availability_low:
    'These requests ended with a status of 5xx. The history of the fleet by model shows where.',
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

export function meaningOf({
  kind,
  models = [],
}: Pick<PlatformAlarm, 'kind' | 'models'>): string | undefined {
  const meaning = Object.hasOwn(MEANINGS, kind) ? MEANINGS[kind] : undefined;
  if (models.length !== 1) return meaning;
  return meaning?.replace(/^Their /, 'Its ').replace(/^Some of their /, 'Some of its ');
}
