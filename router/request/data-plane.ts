/**
 * Connects the parts that serve `/v1`. The router and the tests of the request path both use this.
 */
import type { Registry } from 'prom-client';
import type { Budget } from '../../shared/bounds/budget.ts';
import type { Clock } from '../../shared/clock.ts';
import type { AgentId, OrganizationId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import type { RequestLogSetting } from '../../shared/request-log-setting.ts';
import type { SpanSink } from '../../shared/tracing/span.ts';
import type { LiveCatalog } from '../catalog/live.ts';
import type { Fleet, SlotReservation } from '../fleet/fleet.ts';
import type { HistoryRecorder } from '../history/recorder.ts';
import type { OpenLedger } from '../ledger/ledger.ts';
import type { Alarms } from '../metering/alarms.ts';
import type { Auditor } from '../metering/auditor.ts';
import type { OverheadLimits } from '../metering/token-overheads.ts';
import type { RefusalRecorder } from '../usage/refusals/recorder.ts';
import { POLICIES, type PolicyName } from '../routing/policies/table.ts';
import { answerBudget } from './answers/gather.ts';
import { Callers, type CallersParts } from './authenticate.ts';
import { BillBounds } from './bill-bounds.ts';
import { Entrance } from './entrance.ts';
import { type Handle, makeHandle } from './handle.ts';
import { KeyStatus } from './key-status.ts';
import type { LiveRequests } from './live.ts';
import { RequestMetrics } from './metrics.ts';
import { BodyReaders } from './reading/body-readers.ts';
import { UploadTurns } from './reading/upload-turns.ts';
import { RequestLog } from './request-log.ts';
import { Repeats } from './repeats/repeats.ts';
import { TokenCounts } from './token-counts.ts';
import { RequestTraces } from './traces.ts';
import { type WaitingLimits, WaitingRoom } from './waiting-room.ts';

const DEADLINES_EVERY_MS = 250;
const EXPIRE_EVERY_MS = 30_000;

export type DataPlaneParts = Readonly<{
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Registry;
  history: HistoryRecorder;
  /** Calls its listener with each organization that has changed; null: any may have. */
  onAnnouncement: (listener: (organization: OrganizationId | null) => void) => void;
  ledger: OpenLedger;
  catalog: LiveCatalog;
  fleet: Fleet;
  audit: Readonly<{ auditor: Pick<Auditor, 'watch'>; alarms: Alarms }>;
  live: LiveRequests;
  /** The requests that are being handled. */
  underWay: Set<Promise<void>>;
  /** Aborts when the router accepts no more requests. */
  stopping: AbortSignal;
  keys: Pick<CallersParts, 'pepper' | 'saltSecret' | 'digestAgain' | 'limits'>;
  policy: PolicyName;
  waiting: WaitingLimits;
  requestLog: () => RequestLogSetting;
  /** The origin of the dashboard; '' when it is not known. */
  dashboard: () => string;
  refusals: Pick<RefusalRecorder, 'note'>;
  /** Null or absent: no request is traced. */
  tracing?: Readonly<{ sink: SpanSink; sampleRatio: number }> | null;
  /** Bounds of the figures that agents report. */
  billed?: OverheadLimits;
  /** Called when an impossible count of an agent was clamped. */
  onClamp?: (what: string) => void;
  /** Called for organizations that are refused for lack of credit. */
  onExhausted: (organization: OrganizationId) => void;
}>;

export type DataPlane = AsyncDisposable &
  Readonly<{
    handle: Handle;
    waiting: WaitingRoom<SlotReservation>;
    entrance: Entrance;
    answers: Budget<AgentId>;
  }>;

export function openDataPlane(parts: DataPlaneParts): DataPlane {
  const { clock, random, log, ledger, catalog, fleet, audit, live, underWay, stopping } = parts;
  const owned = new AsyncDisposableStack();
  const callers = new Callers({
    ...parts.keys,
    findKey: (digest) => ledger.findKey(digest),
    clock,
  });
  owned.defer(() => callers.close());
  const entrance = new Entrance(clock);
  parts.onAnnouncement((organization) => {
    callers.forgetOrganization(organization);
    entrance.recent.forget(organization);
    // The heartbeat's reply names organizations that were suspended while they had holds.
    void ledger.heartbeat();
  });
  const deadlines = clock.every(DEADLINES_EVERY_MS, () => live.tick(clock.monotonic()));
  owned.defer(() => deadlines.cancel());
  const metrics = new RequestMetrics({
    registry: parts.metrics,
    now: () => clock.now(),
    history: parts.history,
  });
  const clamped = (what: string) => {
    metrics.clamped(what);
    parts.onClamp?.(what);
  };
  const waiting = new WaitingRoom<SlotReservation>({
    clock,
    live,
    limits: parts.waiting,
    onWaited: (model, region, ms) => metrics.waited(model, region, ms),
  });
  metrics.watchWaiting(() => waiting.lengths);
  fleet.onRoom(() => waiting.room());
  const readers = owned.use(new BodyReaders({ clock, log }));
  const answers = answerBudget();
  const tokenCounts = new TokenCounts({ fleet, clock, random, metrics });
  metrics.watchCountPauses(() => tokenCounts.pauses);
  const repeats = new Repeats({ clock, metrics });
  const expiring = clock.every(EXPIRE_EVERY_MS, () => repeats.kept.expire());
  owned.defer(() => expiring.cancel());
  const handle = makeHandle({
    clock,
    random,
    log,
    ledger,
    catalog,
    fleet,
    live,
    underWay,
    stopping,
    callers,
    entrance,
    keyStatus: new KeyStatus(ledger, clock),
    tokenCounts,
    waiting,
    answers,
    repeats,
    refusals: parts.refusals,
    dashboard: parts.dashboard,
    requestLog: new RequestLog({ log, clock, setting: parts.requestLog }),
    traces: parts.tracing ? new RequestTraces({ ...parts.tracing, clock, random }) : null,
    metrics,
    readers,
    policy: POLICIES[parts.policy],
    recent: entrance.recent,
    uploads: new UploadTurns(),
    discards: new UploadTurns(),
    alarm: clamped,
    uncovered(request, fault) {
      clamped('grant_uncovered');
      log.error({ request, err: fault }, 'request was granted more tokens than its hold covers');
    },
    bounds: new BillBounds({ alarms: audit.alarms, clock, fleet, log }, parts.billed),
    audit: audit.auditor,
    touchKey: (key) => ledger.touchKey(key),
    onExhausted: parts.onExhausted,
  });
  return {
    handle,
    waiting,
    entrance,
    answers,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
