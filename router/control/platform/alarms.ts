/** What an operator should look at now, as sentences, the worst first. */
import { DAY_MS } from '../../../shared/durations.ts';
import { JOBS_COUNTED_MAX } from '../../../shared/jobs.ts';
import type { PlatformAlarm } from '../../../shared/api/platform.ts';
import type { Region } from '../../../shared/region.ts';
import { instantOrNull, isoInstant } from '../api.ts';
import type { LostHost } from '../agents/absences.ts';
import { DECLARED_DEAD } from '../../ledger/operations.ts';
import type { JobCounts } from '../../jobs/counts.ts';
import type { IncarnationRow } from '../../store/schema/fleet.ts';
import type { PaymentAlarm } from '../payments/provider.ts';
import type { Noted, RouterWatch } from './router-watch.ts';
import type { TroubledModel, TroubledModels } from './troubled-models.ts';

const CERTIFICATE_DAYS = { warning: 21, urgent: 3 } as const;
/** A job that is due is usually run within a second. */
const JOB_LATE_MS = 15 * 60_000;
/** There are six heartbeats in holdTtlMs. Beyond half of it the router accepts no requests. */
const HEARTBEAT_LATE_SHARE = 1 / 3;
/** How many names a sentence has. */
const NAMES_MAX = 3;

export type AlarmFacts = Readonly<{
  now: number;
  notReadyBecause: string | null;
  routers: readonly Pick<IncarnationRow, 'beat' | 'version'>[];
  jobs: JobCounts;
  catalogFault: string | null;
  modelsWithoutWorkers: readonly string[];
  /** By what all routers have recorded in the last minutes. */
  troubledModels: TroubledModels;
  /** Workers that are neither ready nor drained, and those that audits raised alarms about. */
  unreadyWorkers: readonly string[];
  suspectWorkers: readonly string[];
  /** Hosts that no router is connected to, and that were neither drained nor stopped. */
  lostHosts: readonly LostHost[];
  /** Payments are taken for real, and the configuration names no seller. */
  isSellerMissing: boolean;
  watch: Pick<RouterWatch, 'certificates' | 'noted' | 'failingTasks' | 'heartbeat'>;
}>;

/** The section of docs/runbooks.md for each kind of alarm; null: none. */
export const RUNBOOKS = {
  not_ready: 'PenstockRouterNotReady',
  store_late: 'PenstockHeartbeatLate',
  router_lost: 'PenstockRouterDown',
  version_skew: 'PenstockVersionSkew',
  task_failing: 'PenstockTasksFailing',
  certificate: 'PenstockCertificateExpires',
  no_worker: 'PenstockModelWithoutWorker',
  model_down: 'PenstockModelWithoutWorker',
  model_degraded: 'PenstockAvailabilityBurnsFast',
  catalog_rejected: 'PenstockReloadRejected',
  worker_not_ready: 'PenstockEngineDown',
  audit: 'PenstockAuditAlarm',
  host_lost: 'PenstockAgentDown',
  jobs_failed: 'PenstockJobsFailed',
  jobs_late: 'PenstockJobsLate',
  no_seller: null,
  clamp: 'PenstockCountsClamped',
  payment: 'PenstockPaymentAlarm',
} as const satisfies Readonly<Record<string, string | null>>;

type AlarmKind = keyof typeof RUNBOOKS;

const PAYMENT_ALARMS: Readonly<Record<PaymentAlarm, string>> = {
  event: 'The payment provider reported something that cannot be right',
  undecided: 'The payment provider has left a payment or refund undecided for a day',
};

export const NO_SELLER =
  'Receipts and invoices have no name, address and tax ID of a seller: set `seller` in the configuration of the routers.';

type Maybe = PlatformAlarm | false | null;

export function alarmsFrom(facts: AlarmFacts): PlatformAlarm[] {
  const found: Maybe[] = [
    ...routerAlarms(facts),
    ...certificateAlarms(facts),
    ...fleetAlarms(facts),
    lostHostsAlarm(facts),
    ...jobAlarms(facts),
    facts.isSellerMissing && warning('no_seller', 'routers', NO_SELLER),
    ...facts.watch.noted.map(notedAlarm),
  ];
  const alarms = found.filter((one) => one !== null && one !== false);
  const urgentFirst = (one: PlatformAlarm) => (one.severity === 'urgent' ? 0 : 1);
  return alarms.toSorted((a, b) => urgentFirst(a) - urgentFirst(b));
}

/** What an alarm tells beside its sentence. `since` is in ms since the epoch. */
type More = Readonly<{
  since?: number | null;
  models?: readonly string[];
  regions?: readonly Region[];
}>;

function urgent(
  kind: AlarmKind,
  page: PlatformAlarm['page'],
  message: string,
  { since = null, models = [], regions = [] }: More = {},
): PlatformAlarm {
  return {
    kind,
    severity: 'urgent',
    message,
    page,
    count: null,
    last: null,
    since: instantOrNull(since),
    runbook: RUNBOOKS[kind],
    models: [...models],
    regions: [...regions],
  };
}

function warning(
  kind: AlarmKind,
  page: PlatformAlarm['page'],
  message: string,
  more: More = {},
): PlatformAlarm {
  return { ...urgent(kind, page, message, more), severity: 'warning' };
}

function routerAlarms({ notReadyBecause, routers, watch }: AlarmFacts): Maybe[] {
  const { heartbeatAgeMs, holdTtlMs } = watch.heartbeat;
  const dead = routers.filter(({ beat }) => beat === DECLARED_DEAD).length;
  const versions = new Set(
    routers.filter(({ beat }) => beat !== DECLARED_DEAD).map(({ version }) => version ?? 'unknown'),
  );
  return [
    notReadyBecause !== null &&
      urgent('not_ready', 'routers', `This router is not ready: ${notReadyBecause}.`),
    heartbeatAgeMs > holdTtlMs * HEARTBEAT_LATE_SHARE &&
      urgent(
        'store_late',
        'routers',
        `The store has not accepted a heartbeat of this router for ${Math.round(heartbeatAgeMs / 1_000)} s.`,
      ),
    dead > 0 &&
      warning(
        'router_lost',
        'routers',
        `${plural(dead, 'router')} stopped without signing off. Entries go when their holds are freed.`,
      ),
    versions.size > 1 &&
      warning(
        'version_skew',
        'routers',
        `Routers of different versions run: ${named([...versions].toSorted())}.`,
      ),
    ...watch.failingTasks.map((task) =>
      warning('task_failing', 'routers', `The last run of the scheduled task "${task}" failed.`),
    ),
  ];
}

function certificateAlarms({ now, watch }: AlarmFacts): Maybe[] {
  return watch.certificates.map(({ listener, expires }) => {
    const days = Math.floor((expires - now) / DAY_MS);
    if (days >= CERTIFICATE_DAYS.warning) return null;
    const when = expires <= now ? 'has expired' : `expires in ${plural(days, 'day')}`;
    const make = days < CERTIFICATE_DAYS.urgent ? urgent : warning;
    const since = expires - CERTIFICATE_DAYS.warning * DAY_MS;
    return make('certificate', 'routers', `The certificate of ${listener} ${when}.`, { since });
  });
}

function fleetAlarms(facts: AlarmFacts): Maybe[] {
  const { catalogFault, modelsWithoutWorkers: models, unreadyWorkers, suspectWorkers } = facts;
  const { degraded } = facts.troubledModels;
  // The alarm of models without workers names those that are down everywhere.
  const down = facts.troubledModels.down.filter(({ model }) => !models.includes(model));
  return [
    models.length > 0 &&
      urgent('no_worker', 'fleet', `No ready worker serves ${named(models)}.`, { models }),
    down.length > 0 &&
      urgent(
        'model_down',
        'fleet',
        `The status page shows no capacity for ${namesOf(down)}.`,
        placesOf(down),
      ),
    degraded.length > 0 &&
      warning(
        'model_degraded',
        'fleet',
        `The status page shows degraded service of ${namesOf(degraded)}.`,
        placesOf(degraded),
      ),
    catalogFault !== null &&
      warning(
        'catalog_rejected',
        'fleet',
        'The present catalog file was rejected, and the one before stays in force.',
      ),
    unreadyWorkers.length > 0 &&
      warning(
        'worker_not_ready',
        'fleet',
        `${plural(unreadyWorkers.length, 'worker')} ${unreadyWorkers.length === 1 ? 'is' : 'are'} not ready: ${named(unreadyWorkers)}.`,
      ),
    suspectWorkers.length > 0 &&
      warning(
        'audit',
        'fleet',
        `Audits found token counts that do not fit their answers: ${named(suspectWorkers)}.`,
      ),
  ];
}

function lostHostsAlarm({ lostHosts }: AlarmFacts): Maybe {
  if (lostHosts.length === 0) return null;
  const [were, agents] = lostHosts.length === 1 ? ['was', 'its agent'] : ['were', 'their agents'];
  return warning(
    'host_lost',
    'fleet',
    `${plural(lostHosts.length, 'host')} ${were} lost, and ${agents} ${were} neither drained nor stopped: ${named(lostHosts.map(({ name }) => name))}.`,
    { since: Math.min(...lostHosts.map(({ since }) => since)) },
  );
}

function jobAlarms({ jobs: { failed, oldestFailed, oldestDue }, now }: AlarmFacts): Maybe[] {
  const lateMs = oldestDue === null ? 0 : now - oldestDue;
  const count =
    failed === JOBS_COUNTED_MAX
      ? `${failed.toLocaleString('en')} or more jobs`
      : plural(failed, 'job');
  return [
    failed > 0 &&
      warning(
        'jobs_failed',
        'jobs',
        `${count} ${failed === 1 ? 'was' : 'were'} given up after the last attempt.`,
        { since: oldestFailed },
      ),
    lateMs > JOB_LATE_MS &&
      urgent(
        'jobs_late',
        'jobs',
        `A job that is due has waited for ${Math.floor(lateMs / 60_000)} minutes.`,
        { since: oldestDue },
      ),
  ];
}

function notedAlarm({ kind, what, count, first, last }: Noted): PlatformAlarm {
  const at = { count, last: isoInstant(last), since: isoInstant(first) };
  if (kind === 'clamp') {
    const word = what.replaceAll('_', ' ');
    const message = `A host reported an impossible count, which was reduced: ${word}.`;
    return { ...warning('clamp', 'fleet', message), ...at };
  }
  const about = PAYMENT_ALARMS[what as PaymentAlarm] ?? what;
  const message = `${about}. The router's log has the details.`;
  return { ...urgent('payment', 'audit', message), ...at };
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function namesOf(models: readonly TroubledModel[]): string {
  return named(models.map(({ name }) => name));
}

function placesOf(troubled: readonly TroubledModel[]): Required<Pick<More, 'models' | 'regions'>> {
  return {
    models: [...new Set(troubled.map(({ model }) => model))],
    regions: [...new Set(troubled.map(({ region }) => region))],
  };
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX).join(', ');
  const more = names.length - NAMES_MAX;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
