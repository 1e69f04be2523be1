/** Metrics of the control plane: the management API, jobs, emails, payments and reloads. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { Histograms } from '../../shared/metrics/series.ts';
import type { Clock } from '../../shared/clock.ts';
import type { LiveCatalog } from '../catalog/live.ts';
import type { Transport } from '../control/mail/transport.ts';
import type { EndedResponse } from '../control/parts.ts';
import type { AttemptResult } from '../control/webhooks/deliver.ts';
import type { Backlog } from '../jobs/backlog.ts';
import type { JobResult } from '../jobs/runner.ts';
import type { Listening } from '../listen.ts';
import { watchValue } from './value.ts';

const MANAGEMENT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Where the payment provider sends its events. */
const PROVIDER_EVENTS = /^\/api\/v1\/webhooks\//;

/** Returns what counts a response of the management API. */
export function countManagement(registry: Registry): (ended: EndedResponse) => void {
  const registers = [registry];
  const requests = new Counter({
    name: 'penstock_router_management_requests_total',
    help: 'Requests to the management API, by the class of their status.',
    labelNames: ['class'] as const,
    registers,
  });
  const seconds = new Histograms(registry, {
    name: 'penstock_router_management_seconds',
    help: 'How long requests to the management API took.',
    labels: [],
    buckets: MANAGEMENT_SECONDS,
  }).series({});
  const webhooks = new Counter({
    name: 'penstock_router_webhooks_total',
    help: 'Events of the payment provider: accepted, rejected (a bad signature, or to be sent again later), or failed.',
    labelNames: ['result'] as const,
    registers,
  });
  return ({ route, status, ms }) => {
    requests.inc({ class: `${Math.floor(status / 100)}xx` });
    seconds.observe(ms / 1000);
    if (route === undefined || !PROVIDER_EVENTS.test(route)) return;
    webhooks.inc({ result: status < 400 ? 'accepted' : status < 500 ? 'rejected' : 'failed' });
  };
}

/** Counts emails that are sent by this transport, and those that are not accepted. */
export function countEmails(registry: Registry, transport: Transport): Transport {
  const emails = new Counter({
    name: 'penstock_router_emails_total',
    help: 'Emails that were sent, and attempts that failed. A failed one is tried again.',
    labelNames: ['result'] as const,
    registers: [registry],
  });
  return {
    async send(mail) {
      try {
        await transport.send(mail);
      } catch (error) {
        emails.inc({ result: 'failed' });
        throw error;
      }
      emails.inc({ result: 'sent' });
    },
    [Symbol.dispose]: () => transport[Symbol.dispose](),
  };
}

/** What counts the runs of jobs and scheduled tasks of this router. */
export function countRuns(registry: Registry): {
  onJob: (kind: string, result: JobResult) => void;
  onTask: (task: string, result: 'done' | 'failed') => void;
  onAttempt: (result: AttemptResult) => void;
} {
  const jobs = new Counter({
    name: 'penstock_router_jobs_total',
    help: 'Runs of background jobs on this router: done, retried (it failed, and is tried again), or failed (given up after its last attempt).',
    labelNames: ['kind', 'result'] as const,
    registers: [registry],
  });
  const tasks = new Counter({
    name: 'penstock_router_scheduled_tasks_total',
    help: 'Runs of scheduled tasks on this router.',
    labelNames: ['task', 'result'] as const,
    registers: [registry],
  });
  const attempts = new Counter({
    name: 'penstock_router_webhook_attempts_total',
    help: "Attempts to deliver an event to a customer's endpoint: delivered, retried (it failed, and is tried again), failed (given up), or disabled (it failed, and its endpoint was turned off).",
    labelNames: ['result'] as const,
    registers: [registry],
  });
  return {
    onJob: (kind, result) => jobs.inc({ kind, result }),
    onTask: (task, result) => tasks.inc({ task, result }),
    onAttempt: (result) => attempts.inc({ result }),
  };
}

/** The jobs of all routers, as this one last read them. */
export function watchBacklog(
  registry: Registry,
  { backlog, clock }: Readonly<{ backlog: () => Backlog; clock: Pick<Clock, 'now'> }>,
): void {
  watchValue(
    registry,
    'penstock_router_jobs_due',
    'Background jobs of all routers that are due and wait, at most 1,000. Take the maximum over routers.',
    () => backlog().due,
  );
  watchValue(
    registry,
    'penstock_router_jobs_oldest_due_seconds',
    'How long the oldest of the background jobs that wait has been due; 0 without one.',
    () => {
      const { oldest } = backlog();
      return oldest === null ? 0 : Math.max(0, (clock.now() - oldest) / 1000);
    },
  );
}

/**
 * Counts alarms that an operator should check: payments that their provider leaves undecided,
 * refunds that it could not pay out, and reports of it that cannot be right.
 */
export function countPaymentAlarms(registry: Registry): (alarm: string) => void {
  const alarms = new Counter({
    name: 'penstock_router_payment_alarms_total',
    help: 'Alarms about payments, refunds and reports of their provider, by kind; each is in the log.',
    labelNames: ['alarm'],
    registers: [registry],
  });
  return (alarm) => alarms.inc({ alarm });
}

/** Returns what counts that files were read again. */
export function countReloads(
  registry: Registry,
): (what: 'catalog' | 'configuration' | 'certificate') => (isAccepted: boolean) => void {
  const reloads = new Counter({
    name: 'penstock_router_reloads_total',
    help: 'Files that were read again while the router ran: accepted, or rejected, so that what was read before stays in force.',
    labelNames: ['what', 'result'] as const,
    registers: [registry],
  });
  return (what) => (isAccepted) =>
    reloads.inc({ what, result: isAccepted ? 'accepted' : 'rejected' });
}

export function watchCatalog(registry: Registry, catalog: Pick<LiveCatalog, 'status'>): void {
  watchValue(
    registry,
    'penstock_router_catalog_models',
    'Models of the catalog that is in force.',
    () => catalog.status.models,
  );
  watchValue(
    registry,
    'penstock_router_catalog_rejected',
    'Whether the present file was rejected, so that the catalog before it stays in force: 1 or 0.',
    () => Number(catalog.status.fault !== null),
  );
}

export function watchReady(registry: Registry, notReadyBecause: () => string | null): void {
  watchValue(registry, 'penstock_router_ready', 'Whether /readyz answers 200: 1 or 0.', () =>
    Number(notReadyBecause() === null),
  );
}

export function watchTurns(registry: Registry, turns: Readonly<{ waiting: number }>): void {
  watchValue(
    registry,
    'penstock_router_turns_waiting',
    'Requests that have arrived, and wait for the turn of the event loop in which they begin.',
    () => turns.waiting,
  );
}

export function watchCertificates(
  registry: Registry,
  listeners: readonly Pick<Listening, 'origin' | 'certificate'>[],
): void {
  new Gauge({
    name: 'penstock_router_certificate_expiry_timestamp_seconds',
    help: 'When the certificate of a listener expires, in seconds since the epoch.',
    labelNames: ['listener'],
    registers: [registry],
    collect() {
      for (const { origin, certificate } of listeners) {
        if (certificate) this.set({ listener: origin }, certificate.current.expires / 1000);
      }
    },
  });
}
