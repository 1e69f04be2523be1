/**
 * The router's composition root: builds the parts from the configuration, and serves until it gets
 * the signal to stop. Each part registers its shutdown where it is created: the listeners close
 * first, then responses in flight end, then links, ledger and store close.
 */
import { once } from 'node:events';
import type { Registry } from 'prom-client';
import { listPrice } from '../shared/catalog.ts';
import { systemClock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { inPico } from '../shared/money.ts';
import type { Peppers } from '../shared/peppers.ts';
import { systemRandom as random } from '../shared/random.ts';
import { LiveCatalog } from './catalog/live.ts';
import { ClientAddresses } from './client-address.ts';
import { hostNamesOf, type RouterConfig } from './config.ts';
import { digestKeysAgain } from './control/access/digests.ts';
import { makeAgentRegistry } from './control/agent-registry.ts';
import { type BackgroundJobs, openBackgroundJobs } from './control/background-jobs.ts';
import type { SandboxParts } from './control/checkout/sandbox.ts';
import { openTransport } from './control/mail/transport.ts';
import { configuredProvider } from './control/payments/configured.ts';
import type { PaymentProvider } from './control/payments/provider.ts';
import { Passwords } from './control/people/passwords.ts';
import { PublicUrls } from './control/public-urls.ts';
import { type Control, makeControl } from './control/server.ts';
import { drain } from './drain.ts';
import { Fleet } from './fleet/fleet.ts';
import { Links } from './fleet/links.ts';
import { Probes } from './fleet/probes.ts';
import { type Installation, openInstallation } from './installation/open.ts';
import { sealAllAgain } from './installation/pepper-use.ts';
import { type OpenLedger, openLedger } from './ledger/ledger.ts';
import { ensurePrices } from './ledger/prices.ts';
import { advertised, openListeners } from './listeners.ts';
import { type OpenAudit, openAudit } from './metering/open.ts';
import {
  countPaymentAlarms,
  LedgerMetrics,
  makeRegistry,
  serveMetrics,
  watchBreakers,
  watchClock,
  watchFleet,
  watchHolds,
} from './metrics.ts';
import { type DataPlane, openDataPlane } from './request/data-plane.ts';
import type { RouterProcess } from './processes/router-process.ts';
import { LiveRequests } from './request/live.ts';
import { checkStripeKeys, type Secrets } from './secrets.ts';
import type { StoreClock } from './store/clock.ts';
import type { Store } from './store/store.ts';

/** A new router is not ready until it has a ready worker, or until this much time has passed. */
const FIRST_WORKER_MS_MAX = 10_000;

export type RouterOptions = Readonly<{
  log: Log;
  /** Aborting it makes the router finish the requests in flight, then stop. */
  signal: AbortSignal;
  /** Called before anything else uses the store. */
  prepare?: (installation: Installation) => Promise<void>;
  /** Set if this process is one of several that serve the listeners together. */
  routerProcess?: RouterProcess | null;
  /** Called when the router accepts requests. Without a `metricsUrl` another process serves them. */
  onReady?: (ready: { origins: readonly string[]; metricsUrl: string | null }) => void;
}>;

/** What every part below depends on. */
type Base = Readonly<{
  config: RouterConfig;
  parts: AsyncDisposableStack;
  log: Log;
  metrics: Registry;
  secrets: Secrets;
  pepper: Peppers;
  store: Store;
  /** The store's time, the same on every router. Dates, expirations and rates by time use it. */
  clock: StoreClock;
  /** `live`: responses in flight. `underWay`: the promises of requests that are being handled. */
  live: LiveRequests;
  underWay: Set<Promise<void>>;
  routerProcess: RouterProcess | null;
  /**
   * `stopSignal` aborts at the stop signal, `draining` also when another process replaces this one,
   * `stopping` when the router accepts no more requests.
   */
  stopSignal: AbortSignal;
  draining: AbortSignal;
  stopping: AbortController;
}>;

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
  watchFleet(metrics, fleet);
  watchBreakers(metrics, fleet);
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
    regions: config.listeners.map(({ region }) => region),
    process: routerProcess,
    addressOf: (request) => addresses.of(request),
  });
  const audit = parts.use(openAudit(config.audit, { fleet, clock, random, log, metrics }));
  const urls = new PublicUrls({ ...config.control, listeners: config.listeners });
  const plane = { ledger, catalog, fleet, audit };
  const { control, backgroundJobs } = await openControl(base, plane, urls);
  const data = parts.use(openData(base, plane, backgroundJobs));
  const at = { ...base, random, addresses };
  const listeners = await openListeners(at, {
    data: onceBegun(routerProcess, data.handle),
    link: links.upgrade.bind(links),
    rest: onceBegun(routerProcess, control.handle.bind(control)),
  });
  urls.listensAt(listeners);
  // Registered after the listeners, so that links close first: a listener waits for every socket,
  // including links.
  parts.use(links);
  ledger.watchPeers((peers) => links.peers(peers));
  await ledger.advertise(advertised(config, listeners, routerProcess?.id ?? null));
  const metricsUrl = await openMetrics(base, fleet);
  // A heartbeat reads the URLs of the others, which agents are told.
  routerProcess?.onServing(() => void ledger.heartbeat());

  const origins = listeners.map(({ origin }) => origin);
  log.info({ origins, metrics: metricsUrl }, 'router ready');
  options.onReady?.({ origins, metricsUrl });
  if (!draining.aborted) await once(draining, 'abort');

  await drain(base, { ledger, links, listeners });
}

async function openBase(
  config: RouterConfig,
  opened: Store,
  { log, signal, prepare, parts, routerProcess = null }: RouterOptions & Pick<Base, 'parts'>,
): Promise<Base> {
  const installation = await openInstallation(config, opened, { clock: systemClock, log });
  const { secrets, pepper, clock } = installation;
  const store = parts.use(installation.store);
  parts.use(clock);
  await prepare?.(installation);
  clock.watch();
  await sealAllAgain(store, { pepper, random, log });
  return {
    config,
    parts,
    log,
    secrets,
    pepper,
    store,
    clock,
    metrics: makeRegistry(routerProcess?.id),
    live: new LiveRequests(),
    underWay: new Set(),
    routerProcess,
    stopSignal: signal,
    draining: routerProcess === null ? signal : AbortSignal.any([signal, routerProcess.retired]),
    stopping: new AbortController(),
  };
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
  watchHolds(metrics, () => ledger.openHolds);
  watchClock(metrics, clock);
  return parts.use(ledger);
}

async function openCatalog({ config, parts, log, store, clock }: Base): Promise<LiveCatalog> {
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
  });
  return parts.use(catalog);
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
  if (routerProcess === null) return parts.use(await serveMetrics(metrics, config.metrics)).url;
  routerProcess.answerFrom({ metrics, readyWorkers: () => fleet.countByPhase().ready });
  return null;
}

/** What both the data plane and the control plane depend on. */
type Plane = Readonly<{
  ledger: OpenLedger;
  catalog: LiveCatalog;
  fleet: Fleet;
  audit: OpenAudit;
}>;

function openData(
  { config, log, metrics, secrets, pepper, store, clock, live, underWay, stopping }: Base,
  plane: Plane,
  backgroundJobs: BackgroundJobs,
): DataPlane {
  return openDataPlane({
    ...plane,
    clock,
    random,
    log,
    metrics,
    onAnnouncement: (listener) => store.onAnnouncement(listener),
    live,
    underWay,
    stopping: stopping.signal,
    keys: {
      pepper,
      saltSecret: secrets.cacheSalt,
      digestAgain: digestKeysAgain(store, log),
      limits: config.limits,
    },
    policy: config.policy,
    waiting: config.waiting,
    onExhausted: (organization) => void backgroundJobs.exhausted(organization),
  });
}

async function openControl(
  base: Base,
  { ledger, catalog, fleet, audit }: Plane,
  urls: PublicUrls,
): Promise<{ control: Control; backgroundJobs: BackgroundJobs }> {
  const { config, parts, log, metrics, store, clock, stopSignal } = base;
  const started = clock.monotonic();
  const hasBegun = () =>
    fleet.countByPhase().ready > 0 || clock.monotonic() - started > FIRST_WORKER_MS_MAX;
  const onAlarm = countPaymentAlarms(metrics);
  const basics = { store, clock, random, log, urls, pepper: base.pepper, onAlarm };
  const common = { ...basics, provider: await openPayments(base, basics) };
  const { mail, retention } = config;
  const incarnation = () => ledger.incarnation;
  const isPaused = () => clock.fault !== null;
  const transport = await openTransport(mail, log);
  const jobParts = { ...common, transport, retention, incarnation, isPaused };
  const backgroundJobs = openBackgroundJobs(jobParts);
  parts.use(backgroundJobs);
  const control = await makeControl({
    ...common,
    catalog,
    fleet,
    brand: config.brand,
    passwords: new Passwords(),
    signUp: config.control.signUp,
    mailboxSecret: base.secrets.cacheSalt,
    welcome: { ...config.welcome, amount: inPico(config.welcome.amount) },
    trustedProxies: config.control.trustedProxies,
    alarmsOf: (worker) => audit.alarms.of(worker),
    // A rolling deploy stops the next router when this one is ready, so agents must be connected by
    // then.
    ready: () => ledger.isHealthy() && clock.fault === null && !stopSignal.aborted && hasBegun(),
    notReadyBecause: () => clock.fault,
    allowedHosts: hostNamesOf(config),
  });
  return { control: parts.use(control), backgroundJobs };
}

async function openPayments(
  { config, secrets }: Base,
  parts: SandboxParts,
): Promise<PaymentProvider | null> {
  checkStripeKeys(config, secrets);
  return await configuredProvider(config.payments, { ...parts, stripe: secrets.stripe });
}
