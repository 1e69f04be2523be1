/**
 * What all parts of a router depend on, and how it is opened: the installation, its store and its
 * secrets.
 */
import { hostname } from 'node:os';
import type { Registry } from 'prom-client';
import { systemClock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Peppers } from '../shared/peppers.ts';
import { systemRandom as random } from '../shared/random.ts';
import type { SpanSink } from '../shared/tracing/span.ts';
import { spanCounts } from '../shared/tracing/span-metrics.ts';
import type { LiveCatalog } from './catalog/live.ts';
import type { RouterConfig } from './config.ts';
import type { Fleet } from './fleet/fleet.ts';
import { differencesFromFleet, type Installation, openInstallation } from './installation/open.ts';
import { sealAllAgain } from './installation/pepper-use.ts';
import type { OpenLedger } from './ledger/ledger.ts';
import { LiveSettings } from './live-settings.ts';
import type { OpenAudit } from './metering/open.ts';
import { openRegistry } from './metrics/registry.ts';
import { countReloads } from './metrics/work.ts';
import type { RouterProcess } from './processes/router-process.ts';
import { LiveRequests } from './request/live.ts';
import { RequestTurns } from './request-turns.ts';
import type { Secrets } from './secrets.ts';
import type { StoreClock } from './store/clock.ts';
import type { Store } from './store/store.ts';

export type RouterOptions = Readonly<{
  log: Log;
  /** Aborting it makes the router finish the requests in flight, then stop. */
  signal: AbortSignal;
  /** Called before anything else uses the store. */
  prepare?: (installation: Installation) => Promise<void>;
  /** Set if this process is one of several that serve the listeners together. */
  routerProcess?: RouterProcess | null;
  /** Reads the configuration again. Rejects with ConfigError. */
  readAgain: () => Promise<RouterConfig>;
  /** Called with what reads the configuration, the catalog and the certificates again. */
  onReloader?: (reload: () => Promise<void>) => void;
  /** Called when the router accepts requests. Without a `metricsUrl` another process serves them. */
  onReady?: (ready: { origins: readonly string[]; metricsUrl: string | null }) => void;
}>;

/** What every other part depends on. */
export type Base = Readonly<{
  config: RouterConfig;
  parts: AsyncDisposableStack;
  log: Log;
  metrics: Registry;
  /** Returns what counts that files were read again. */
  reloads: ReturnType<typeof countReloads>;
  secrets: Secrets;
  pepper: Peppers;
  store: Store;
  /** The store's time, the same on every router. Dates, expirations and rates by time use it. */
  clock: StoreClock;
  /**
   * `turns`: the turns in which requests begin. `underWay`: the promises of requests that are being
   * handled. `live`: responses in flight.
   */
  turns: RequestTurns;
  underWay: Set<Promise<void>>;
  live: LiveRequests;
  settings: LiveSettings;
  routerProcess: RouterProcess | null;
  /** Null when tracing is off. */
  tracing: Tracing | null;
  /**
   * `stopSignal` aborts at the stop signal, `draining` also when another process replaces this one,
   * `stopping` when the router accepts no more requests.
   */
  stopSignal: AbortSignal;
  draining: AbortSignal;
  stopping: AbortController;
}>;

/** What both the data plane and the control plane depend on. */
export type Plane = Readonly<{
  ledger: OpenLedger;
  catalog: LiveCatalog;
  fleet: Fleet;
  audit: OpenAudit;
}>;

type Tracing = Readonly<{ sink: SpanSink; sampleRatio: number }>;

/** Loads OpenTelemetry only if tracing is configured. */
async function openTracing(
  { tracing }: RouterConfig,
  { parts, log, metrics, instance }: Pick<Base, 'parts' | 'log' | 'metrics'> & { instance: string },
): Promise<Tracing | null> {
  if (tracing === undefined) return null;
  const { OtlpExporter } = await import('../shared/tracing/exporter.ts');
  const { sampleRatio, ...setting } = tracing;
  const sink = new OtlpExporter(setting, {
    service: 'penstock-router',
    instance,
    clock: systemClock,
    log,
    counts: spanCounts(metrics, 'penstock_router'),
  });
  return { sink: parts.use(sink), sampleRatio };
}

export async function openBase(
  config: RouterConfig,
  opened: Store,
  options: RouterOptions & Pick<Base, 'parts'>,
): Promise<Base> {
  const { log, signal, prepare, parts, readAgain, routerProcess = null } = options;
  const installation = await openInstallation(config, opened, { clock: systemClock, log });
  const { secrets, pepper, clock } = installation;
  const store = parts.use(installation.store);
  parts.use(clock);
  await prepare?.(installation);
  clock.watch();
  await sealAllAgain(store, { pepper, random, log });
  const { registry: metrics } = parts.use(openRegistry(clock, routerProcess?.id ?? null));
  const reloads = countReloads(metrics);
  const instance = `${hostname()}/${process.pid}`;
  return {
    config,
    parts,
    log,
    secrets,
    pepper,
    store,
    clock,
    metrics,
    reloads,
    tracing: await openTracing(config, { parts, log, metrics, instance }),
    turns: new RequestTurns(),
    underWay: new Set(),
    live: new LiveRequests(),
    settings: new LiveSettings(config, {
      log,
      read: readAgain,
      onReload: reloads('configuration'),
      differencesFromFleet: (read) => differencesFromFleet(read, { store, secrets }),
    }),
    routerProcess,
    stopSignal: signal,
    draining: routerProcess === null ? signal : AbortSignal.any([signal, routerProcess.retired]),
    stopping: new AbortController(),
  };
}
