/** The kinds of alarms that routers raise, and the runbook of each. */

/** The section of docs/runbooks.md for each kind of alarm; null: none. */
export const RUNBOOKS = {
  not_ready: 'PenstockRouterNotReady',
  store_late: 'PenstockHeartbeatLate',
  router_lost: 'PenstockRouterDown',
  router_silent: 'PenstockHeartbeatLate',
  version_skew: 'PenstockVersionSkew',
  task_failing: 'PenstockTasksFailing',
  certificate: 'PenstockCertificateExpires',
  no_worker: 'PenstockModelWithoutWorker',
  model_down: 'PenstockModelWithoutWorker',
  model_degraded: 'PenstockAvailabilityBurnsFast',
  availability_low: 'PenstockAvailabilityBurnsFast',
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

export type AlarmKind = keyof typeof RUNBOOKS;
