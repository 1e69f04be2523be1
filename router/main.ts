/**
 * The router's composition root: builds the parts from the configuration, and serves until it gets
 * the signal to stop. Each part registers its shutdown where it is created: the listeners close
 * first, then responses in flight end, then links, ledger and store close.
 */
import { once } from 'node:events';
import { listPrice } from '../shared/catalog.ts';
import { pageOf } from '../shared/metrics/page.ts';
import { systemRandom as random } from '../shared/random.ts';
import { type Base, openBase, type Plane, type RouterOptions } from './base.ts';
import { LiveCatalog } from './catalog/live.ts';
import { ClientAddresses } from './client-address.ts';
import type { RouterConfig } from './config.ts';
import { digestKeysAgain } from './control/access/digests.ts';
import { makeAgentRegistry } from './control/agent-registry.ts';
import type { BackgroundJobs } from './control/background-jobs.ts';
import { RouterWatch } from './control/platform/router-watch.ts';
import { PublicUrls } from './control/public-urls.ts';
import { RouterReports } from './control/routers/reports.ts';
import { openVitals } from './control/routers/vitals.ts';
import { drain } from './drain.ts';
import { Fleet } from './fleet/fleet.ts';
import { Links } from './fleet/links.ts';
import { Probes } from './fleet/probes.ts';
import { FleetHistory } from './history/history.ts';
import { HistoryRecorder } from './history/recorder.ts';
import { HostEventRecorder } from './host-events/recorder.ts';
import { type OpenLedger, openLedger } from './ledger/ledger.ts';
import { ensurePrices } from './ledger/prices.ts';
import { advertised, openListeners } from './listeners.ts';
import { openAudit } from './metering/open.ts';
import { watchFleet, watchLinks } from './metrics/fleet.ts';
import { watchScaling } from './metrics/scaling.ts';
import { serveMetrics } from './metrics/serve.ts';
import { LedgerMetrics, watchClock, watchLedger, watchPool } from './metrics/store.ts';
import { watchCatalog, watchCertificates } from './metrics/work.ts';
import { openControl } from './open-control.ts';
import type { RouterProcess } from './processes/router-process.ts';
import { type DataPlane, openDataPlane } from './request/data-plane.ts';
import type { Store } from './store/store.ts';
import { RefusalRecorder } from './usage/refusals/recorder.ts';

/**
 * Runs a router until `options.signal` aborts. Resolves when all requests have ended and everything
 * is closed, its store as well.
 */
export async function runRouter(
  config: RouterConfig,
  store: Store,
  options: RouterOptions,
): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const base = await openBase(config, store, { ...options, parts });
  const { log, clock, metrics, draining, routerProcess } = base;
  const ledger = await openMoney(base);
  const catalog = await openCatalog(base);
  const fleet = new Fleet({ log, clock, random });
  recordHostEvents(base, fleet, ledger);
  const regions = config.listeners.map(({ region }) => region);
  watchFleet(metrics, fleet, regions);
  watchScaling(metrics, { fleet, catalog, clock, regions });
  parts.use(new Probes({ fleet, clock, random }));
  const addresses = new ClientAddresses(config.control.trustedProxies);
  const links = new Links({
    registry: makeAgentRegistry({ store: base.store, pepper: base.pepper, clock }),
    clock,
    random,
    log,
    fleet,
    catalog,
    router: ledger.incarnation,
    regions,
    process: routerProcess,
    addressOf: (request) => addresses.of(request),
  });
  watchLinks(metrics, fleet, links.figures);
  const audit = parts.use(openAudit(config.audit, { fleet, clock, random, log, metrics }));
  const urls = new PublicUrls({ ...config.control, listeners: config.listeners });
  const plane = { ledger, catalog, fleet, audit };
  const watch = new RouterWatch(clock);
  watch.beatsAs(() => ledger.liveness);
  const { control, backgroundJobs } = await openControl(base, plane, urls, watch);
  const recorder = new HistoryRecorder();
  const data = parts.use(openData(base, plane, { backgroundJobs, history: recorder, watch, urls }));
  const sampled = () => ({
    workers: fleet.workers,
    models: [...catalog.models].map(({ entry }) => entry.id),
    waiting: data.waiting.lengths,
    regions,
  });
  parts.use(new FleetHistory({ recorder, store: base.store, clock, random, log, sampled }));
  const router = () => ledger.incarnation;
  parts.use(
    new RouterReports({
      totals: recorder.totals,
      vitals: openVitals(),
      noticed: () => control.noticed(),
      agents: () => [...fleet.sessions].map(({ agent }) => agent),
      draining,
      router,
      store: base.store,
      clock,
      log,
    }),
  );
  const at = { ...base, random, addresses, onReload: base.reloads('certificate') };
  const listeners = await openListeners(at, {
    data: onceBegun(routerProcess, data.handle),
    link: links.upgrade.bind(links),
    rest: onceBegun(routerProcess, control.handle.bind(control)),
  });
  urls.listensAt(listeners);
  watchCertificates(metrics, listeners);
  watch.listensAt(listeners);
  // Registered after the listeners, so that links close first: a listener waits for every socket,
  // including links.
  parts.use(links);
  ledger.watchPeers((peers) => links.peers(peers));
  await ledger.advertise(advertised(config, listeners, routerProcess?.id ?? null));
  const metricsUrl = await openMetrics(base, fleet);
  // It reads the URLs of the others, which agents are told.
  routerProcess?.onServing(() => void ledger.heartbeat());
  const certificates = listeners.flatMap(({ certificate }) => certificate ?? []);
  const reload = async () => {
    await Promise.all([base.settings, catalog, ...certificates].map((files) => files.reload()));
  };
  routerProcess?.onReload(() => void reload());
  options.onReloader?.(reload);

  const origins = listeners.map(({ origin }) => origin);
  log.info({ origins, metrics: metricsUrl }, 'router ready');
  options.onReady?.({ origins, metricsUrl });
  if (!draining.aborted) await once(draining, 'abort');

  await drain(base, { ledger, links, listeners });
}

async function openMoney({
  config,
  parts,
  log,
  metrics,
  store,
  clock,
  live,
}: Base): Promise<OpenLedger> {
  const figures = new LedgerMetrics(metrics);
  const ledger = await openLedger(
    {
      store,
      clock,
      random,
      log,
      onBatch: (report) => figures.batch(report),
      onLost: () => figures.lost(),
      onFault: (kind) => figures.fault(kind),
      refusesHolds: () => clock.fault,
      onUnhealthy: () => live.abandonAll(),
      onSuspended: (organization) => live.suspend(organization),
    },
    {
      url: null,
      regions: config.listeners.map(({ region }) => region),
      holdTtlMs: config.holdTtlMs,
    },
  );
  watchLedger(metrics, ledger);
  watchPool(metrics, store);
  watchClock(metrics, clock);
  return parts.use(ledger);
}

async function openCatalog(base: Base): Promise<LiveCatalog> {
  const { config, parts, log, metrics, reloads, store, clock } = base;
  const catalog = await LiveCatalog.open(config.catalog, {
    async fixPrices(models) {
      const listed = [...models.values()].map((model) => ({
        model: model.id,
        price: listPrice(model),
      }));
      const versions = await ensurePrices({ store, clock }, listed);
      return new Map(versions.map((version) => [version.model, version]));
    },
    clock,
    log,
    onReload: reloads('catalog'),
  });
  watchCatalog(metrics, catalog);
  return parts.use(catalog);
}

function recordHostEvents(
  { parts, store, clock, log }: Base,
  fleet: Fleet,
  ledger: OpenLedger,
): void {
  const router = () => ledger.incarnation;
  const recorder = parts.use(new HostEventRecorder({ store, clock, random, log, router }));
  fleet.onHostEvent((event) => recorder.note(event));
}

/** Requests wait until the process has the workers that the others of its router have. */
function onceBegun<Given extends unknown[]>(
  routerProcess: RouterProcess | null,
  handle: (...given: Given) => void,
): (...given: Given) => void {
  if (routerProcess === null) return handle;
  return (...given) => routerProcess.whenBegun(() => handle(...given));
}

/** Serves the metrics, or gives them to the process that serves those of all. Returns the URL. */
async function openMetrics({ config, parts, metrics, routerProcess }: Base, fleet: Fleet) {
  if (routerProcess === null) {
    const read = async () => [await pageOf(metrics)];
    return parts.use(await serveMetrics(read, config.metrics)).url;
  }
  routerProcess.answerFrom({ metrics, readyWorkers: () => fleet.countByPhase().ready });
  return null;
}

function openData(
  base: Base,
  plane: Plane,
  {
    backgroundJobs,
    history,
    watch,
    urls,
  }: {
    backgroundJobs: BackgroundJobs;
    history: HistoryRecorder;
    watch: RouterWatch;
    urls: PublicUrls;
  },
): DataPlane {
  const { config, settings, log, metrics, secrets, pepper, store, clock } = base;
  const refusals = base.parts.use(new RefusalRecorder({ store, clock, random, log }));
  const { live, underWay, stopping, tracing } = base;
  return openDataPlane({
    ...plane,
    clock,
    random,
    log,
    metrics,
    history,
    onAnnouncement: (listener) => store.onAnnouncement(listener),
    live,
    underWay,
    stopping: stopping.signal,
    keys: {
      pepper,
      saltSecret: secrets.cacheSalt,
      digestAgain: digestKeysAgain(store, log),
      limits: () => settings.limits,
    },
    policy: config.policy,
    waiting: config.waiting,
    requestLog: () => settings.requestLog,
    refusals,
    dashboard: () => urls.dashboard,
    tracing,
    onClamp: (what) => watch.note('clamp', what),
    onExhausted: (organization) => void backgroundJobs.exhausted(organization),
  });
}
