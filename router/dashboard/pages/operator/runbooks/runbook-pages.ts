/** Where in the dashboard an operator looks for what an alert is about. */
import { RUNBOOKS } from '../../../../../shared/alarm-runbooks.ts';
import type { PageName } from '../../../pages.ts';

type Shown = Extract<
  PageName,
  | 'platform'
  | 'fleet'
  | 'routers'
  | 'jobs'
  | 'incidents'
  | 'invoices'
  | 'organizations'
  | 'platformAudit'
  | 'status'
>;

/** By the name of the alert, the most useful page first. */
export const RUNBOOK_PAGES: Readonly<Record<string, readonly Shown[]>> = {
  PenstockAvailabilityBurnsFast: ['platform', 'fleet', 'incidents'],
  PenstockAvailabilityBurnsSlowly: ['platform', 'fleet'],
  PenstockFirstTokenBurnsFast: ['platform', 'fleet', 'incidents'],
  PenstockFirstTokenBurnsSlowly: ['platform', 'fleet'],
  PenstockRouterDown: ['routers'],
  PenstockRouterNotReady: ['routers'],
  PenstockEventLoopBlocked: ['routers'],
  PenstockOpenFilesShort: ['routers'],
  PenstockConnectionsRefused: ['routers'],
  PenstockCertificateExpires: ['platform', 'routers'],
  PenstockVersionSkew: ['routers'],
  PenstockReloadRejected: ['fleet', 'routers'],
  PenstockManagementFailing: ['routers', 'platformAudit'],
  PenstockModelWithoutWorker: ['fleet', 'status', 'incidents'],
  PenstockModelFull: ['platform', 'fleet'],
  PenstockCapacityShort: ['platform', 'fleet'],
  PenstockAgentDown: ['fleet'],
  PenstockAgentWithoutRouter: ['fleet', 'routers'],
  PenstockLinksFlapping: ['fleet', 'routers'],
  PenstockEngineDown: ['fleet'],
  PenstockBreakerOpen: ['fleet'],
  PenstockWorkerFailing: ['fleet'],
  PenstockStoreDown: ['routers', 'incidents'],
  PenstockHeartbeatLate: ['routers'],
  PenstockStoreSlow: ['routers'],
  PenstockStorePoolFull: ['routers'],
  PenstockLedgerFault: ['routers', 'organizations'],
  PenstockClockOff: ['routers'],
  PenstockJobsLate: ['jobs'],
  PenstockJobsFailed: ['jobs'],
  PenstockTasksFailing: ['platform', 'routers'],
  PenstockMailFailing: ['jobs'],
  PenstockWebhooksFailing: ['jobs'],
  PenstockPaymentAlarm: ['platformAudit', 'invoices', 'jobs'],
  PenstockUnauthorizedSurge: ['organizations', 'platformAudit'],
  PenstockCountsClamped: ['fleet'],
  PenstockAuditAlarm: ['fleet'],
};

const WATCHED: ReadonlySet<string | null> = new Set(Object.values(RUNBOOKS));

/** Whether routers watch for the cause themselves, so that the dashboard knows if it is there. */
export function isWatched(runbook: string): boolean {
  return WATCHED.has(runbook);
}
