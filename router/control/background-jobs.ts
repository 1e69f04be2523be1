/** The control plane's background work: queued jobs and scheduled tasks. */
import type { IncarnationId, OrganizationId } from '../../shared/ids.ts';
import { WEBHOOK } from '../jobs/lanes.ts';
import { historyTask } from '../history/sweep.ts';
import type { Backlog } from '../jobs/backlog.ts';
import { type JobHandler, JobRunner, type RunnerParts } from '../jobs/runner.ts';
import { type ScheduledTask, Scheduler, type SchedulerParts } from '../jobs/scheduler.ts';
import type { Store } from '../store/store.ts';
import { FOLD_EVERY_MS } from '../usage/fold-passes.ts';
import { ledgerFolds } from '../usage/ledger-days/fold-task.ts';
import { usageFolds } from '../usage/rollups/fold-task.ts';
import { lossesTask } from './agents/losses-task.ts';
import { budgetTask } from './budgets/notices.ts';
import { formerMembersChatsTask } from './chats/forget-task.ts';
import { ERASE_ORGANIZATION } from './erasure/organization.ts';
import { ERASE_PERSON } from './erasure/person.ts';
import { eraseOrganizationSlice, erasePersonSlice, erasureHandler } from './erasure/traces.ts';
import { idempotencyTask } from './idempotency/sweep.ts';
import { invitationsTask } from './invitations/sweep.ts';
import { INVOICE } from './invoices/due.ts';
import { invoiceJob, invoiceTask } from './invoices/monthly.ts';
import { forgetJobsTask } from './jobs/forget-task.ts';
import { letterHandler, type LetterParts } from './mail/deliver.ts';
import { INCIDENT_LETTER, LETTER } from './mail/letter.ts';
import { logTransport, type Transport } from './mail/transport.ts';
import { ExhaustionNotices } from './notices/exhaustion-notices.ts';
import { lowBalanceTask } from './notices/low-balance.ts';
import { operatorChangesTask } from './operator-changes/expire.ts';
import type { ControlParts } from './parts.ts';
import { reconciliationTask } from './payments/reconciliation.ts';
import { refundHandler, refundTask } from './payments/refunds.ts';
import { strandedTask } from './payments/stranded.ts';
import { REFUND } from './payments/take-refund.ts';
import { playgroundTask } from './playground/tidy.ts';
import { chargeHandler } from './recharge/charge.ts';
import { CHARGE } from './recharge/procedures.ts';
import { Recharger } from './recharge/recharger.ts';
import { type RetentionConfig, retentionTasks } from './retention/task.ts';
import { alarmsTask } from './retention/alarms.ts';
import { hostEventsTask } from './retention/host-events.ts';
import { refusalsTask } from './retention/refusals.ts';
import { forgetPeriodsTask } from './routers/forget-task.ts';
import { sweepTask } from './sessions/sweep.ts';
import { type DeliverParts, webhookHandler } from './webhooks/deliver.ts';
import { forgetDeliveriesTask } from './webhooks/forget.ts';
import { findDueAttempts } from './webhooks/due.ts';
import { type SenderParts, WebhookSender } from './webhooks/send.ts';

export type BackgroundJobsParts = Pick<
  ControlParts,
  'clock' | 'random' | 'log' | 'pepper' | 'urls' | 'provider' | 'seller' | 'onAlarm' | 'webhooks'
> &
  Pick<DeliverParts, 'onAttempt'> &
  Pick<SenderParts, 'resolver'> &
  Pick<RunnerParts, 'onJob'> &
  Pick<SchedulerParts, 'onTask'> &
  Pick<LetterParts, 'nameOfModel'> &
  Readonly<{
    store: Store;
    incarnation: () => IncarnationId;
    /** While this returns true (the clock is wrong), no work is started. */
    isPaused?: () => boolean;
    /** If omitted, everything is kept. */
    retention?: RetentionConfig | undefined;
    /** Scheduled tasks of other parts of the router. */
    tasks?: readonly ScheduledTask[];
    /** Is closed with the background work. If omitted, emails are written to the log. */
    transport?: Transport;
  }>;

export interface BackgroundJobs extends AsyncDisposable {
  /** Looks for due jobs now. Call it after enqueueing one. */
  look(): Promise<void>;
  /** Reports that an organization's request was refused for lack of credit. Never rejects. */
  exhausted(organization: OrganizationId): Promise<void>;
  /** The jobs of all routers that are due, as last counted. */
  readonly backlog: Backlog;
  /** Resolves when no job is running. */
  idle(): Promise<void>;
}

/** Most of the time, an attempt waits for somebody else's server. */
export const WEBHOOKS_AT_ONCE_MAX = 32;

export function openBackgroundJobs(parts: BackgroundJobsParts): BackgroundJobs {
  const { transport = logTransport(parts.log) } = parts;
  const jobs = new JobRunner({ ...parts, lane: 'others' }, handlersOf({ ...parts, transport }));
  const webhooks = openWebhooks(parts);
  const notices = new ExhaustionNotices(parts);
  const { provider } = parts;
  const onStarted = () => void jobs.look();
  const recharger = provider && new Recharger({ ...parts, provider, onStarted });
  const scheduler = new Scheduler(parts, [
    ...roundsOf(parts),
    ...(parts.tasks ?? []),
    ...(recharger ? [recharger.task] : []),
  ]);
  return {
    async exhausted(organization) {
      await Promise.all([recharger?.exhausted(organization), notices.exhausted(organization)]);
    },
    async look() {
      await Promise.all([jobs.look(), webhooks.runner.look()]);
    },
    get backlog() {
      return jobs.backlog;
    },
    async idle() {
      await Promise.all([jobs.idle(), webhooks.runner.idle()]);
    },
    async [Symbol.asyncDispose]() {
      await scheduler[Symbol.asyncDispose]();
      webhooks.sender[Symbol.dispose]();
      await webhooks.runner[Symbol.asyncDispose]();
      await jobs[Symbol.asyncDispose]();
      transport[Symbol.dispose]();
    },
  };
}

/**
 * Webhooks have a runner of their own, which makes one attempt at a time for each endpoint, so that
 * slow endpoints delay neither emails nor each other.
 */
function openWebhooks(parts: BackgroundJobsParts): { sender: WebhookSender; runner: JobRunner } {
  const { store, clock, resolver, webhooks: settings } = parts;
  const sender = new WebhookSender({ clock, settings, ...(resolver ? { resolver } : {}) });
  const runner = new JobRunner(
    {
      ...parts,
      lane: 'webhooks',
      findDue: (limit) => store.call(findDueAttempts, { now: clock.now(), limit }),
      atOnceMax: WEBHOOKS_AT_ONCE_MAX,
    },
    { [WEBHOOK]: webhookHandler({ ...parts, sender }) },
  );
  return { sender, runner };
}

/** Job handlers by the kind of job. */
function handlersOf(
  parts: BackgroundJobsParts & Readonly<{ transport: Transport }>,
): Readonly<Record<string, JobHandler>> {
  const { provider } = parts;
  const sendLetter = letterHandler(parts);
  return {
    [INVOICE]: invoiceJob(parts),
    [ERASE_ORGANIZATION]: erasureHandler(parts, eraseOrganizationSlice),
    [ERASE_PERSON]: erasureHandler(parts, erasePersonSlice),
    [LETTER]: sendLetter,
    [INCIDENT_LETTER]: sendLetter,
    ...(provider && {
      [CHARGE]: chargeHandler(parts, provider),
      [REFUND]: refundHandler(parts, provider),
    }),
  };
}

function roundsOf(parts: BackgroundJobsParts): readonly ScheduledTask[] {
  const { provider } = parts;
  const [usage, transfers] = [usageFolds(parts), ledgerFolds(parts)];
  return [
    { name: 'fold usage', everyMs: FOLD_EVERY_MS, run: () => usage.run() },
    { name: 'fold transfers', everyMs: FOLD_EVERY_MS, run: () => transfers.run() },
    budgetTask(parts),
    forgetJobsTask(parts),
    historyTask(parts),
    idempotencyTask(parts),
    invitationsTask(parts),
    invoiceTask(parts),
    lossesTask(parts),
    lowBalanceTask(parts),
    playgroundTask(parts),
    formerMembersChatsTask(parts),
    sweepTask(parts),
    operatorChangesTask(parts),
    forgetDeliveriesTask(parts),
    ...retentionTasks(parts, parts.retention),
    refusalsTask(parts, parts.retention),
    hostEventsTask(parts),
    alarmsTask(parts),
    forgetPeriodsTask(parts),
    strandedTask(parts, provider?.name ?? null),
    ...(provider ? [reconciliationTask(parts, provider), refundTask(parts, provider)] : []),
  ];
}
