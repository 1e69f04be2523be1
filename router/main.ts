/**
 * The router's composition root: builds the parts from the configuration, and serves until it gets
 * the signal to stop. Each part registers its shutdown where it is created: the listeners close
 * first, then responses in flight end, then links, ledger and store close.
 */
import { once } from 'node:events';
import type { Registry } from 'prom-client';
import { inPico } from '../shared/api/fields.ts';
import { listPrice } from '../shared/catalog.ts';
import { systemClock, sleep } from '../shared/clock.ts';
import { type Log, makeLog } from '../shared/log.ts';
import type { Peppers } from '../shared/peppers.ts';
import { systemRandom as random } from '../shared/random.ts';
import { LiveCatalog } from './catalog/live.ts';
import { ClientAddresses } from './client-address.ts';
import { ConfigError, hostNamesOf, type RouterConfig } from './config.ts';
import { digestKeysAgain } from './control/access/digests.ts';
import { makeAgentRegistry } from './control/agent-registry.ts';
import { type BackgroundJobs, openBackgroundJobs } from './control/background-jobs.ts';
import type { SandboxParts } from './control/checkout/sandbox.ts';
import { configuredProvider } from './control/payments/configured.ts';
import type { PaymentProvider } from './control/payments/provider.ts';
import { Passwords } from './control/people/passwords.ts';
import { PublicUrls } from './control/public-urls.ts';
import { type Control, makeControl } from './control/server.ts';
import { Fleet, type SlotReservation } from './fleet/fleet.ts';
import { Links } from './fleet/links.ts';
import { Probes } from './fleet/probes.ts';
import { openInstallation } from './installation/open.ts';
import { sealAllAgain } from './installation/pepper-use.ts';
import { type OpenLedger, openLedger } from './ledger/ledger.ts';
import { ensurePrices } from './ledger/prices.ts';
import type { Routes } from './listen.ts';
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
import { answerBudget } from './request/answers/gather.ts';
import { Callers } from './request/authenticate.ts';
import { BillBounds } from './request/bill-bounds.ts';
import { Entrance } from './request/entrance.ts';
import { makeHandle } from './request/handle.ts';
import type { Live } from './request/live.ts';
import { RequestMetrics } from './request/metrics.ts';
import { BodyReaders } from './request/reading/body-readers.ts';
import { UploadTurns } from './request/reading/upload-turns.ts';
import { WaitingRoom } from './request/waiting-room.ts';
import { POLICIES } from './routing/policies/table.ts';
import type { Secrets } from './secrets.ts';
import type { StoreClock } from './store/clock.ts';
import type { Store } from './store/store.ts';

const DEADLINES_EVERY_MS = 250;
/** A new router is not ready until it has a ready worker, or until this much time has passed. */
const FIRST_WORKER_MS_MAX = 10_000;

export type RouterOptions = Readonly<{
  /** Aborting it makes the router finish the requests in flight, then stop. */
  signal: AbortSignal;
  /** Called when the router accepts requests. */
  onReady?: (ready: { origins: readonly string[]; metricsUrl: string }) => void;
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
  live: Set<Live>;
  underWay: Set<Promise<void>>;
  /** `draining` aborts at the stop signal, `stopping` when the router accepts no more requests. */
  draining: AbortSignal;
  stopping: AbortController;
}>;

/**
 * Runs a router until `options.signal` aborts. Resolves when all requests have ended and everything
 * is closed.
 */
export async function runRouter(config: RouterConfig, options: RouterOptions): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const base = await openBase(config, parts, options.signal);
  const { log, clock, metrics, underWay, stopping } = base;
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
    addressOf: (request) => addresses.of(request),
  });
  const audit = parts.use(openAudit(config.audit, { fleet, clock, random, log, metrics }));
  const urls = new PublicUrls({ ...config.control, listeners: config.listeners });
  const { control, backgroundJobs } = await openControl(base, {
    ledger,
    catalog,
    fleet,
    audit,
    urls,
  });
  const at = { ...base, random, addresses };
  const listeners = await openListeners(at, {
    data: makeDataPlane(base, { ledger, catalog, fleet, audit, backgroundJobs }),
    link: links.upgrade.bind(links),
    rest: control.handle.bind(control),
  });
  urls.listensAt(listeners);
  // Registered after the listeners, so that links close first: a listener waits for every socket,
  // including links.
  parts.use(links);
  ledger.watchPeers((peers) => links.peers(peers));
  await ledger.advertise(advertised(config, listeners));
  const metricsServer = parts.use(await serveMetrics(metrics, config.metrics));

  const origins = listeners.map(({ origin }) => origin);
  log.info({ origins, metrics: metricsServer.url }, 'router ready');
  options.onReady?.({ origins, metricsUrl: metricsServer.url });
  if (!options.signal.aborted) await once(options.signal, 'abort');

  // New work goes to other routers first: `/readyz` fails from here on, and other routers send no
  // more agents here.
  log.info({ requests: underWay.size, graceMs: config.drainGraceMs }, 'router started to drain');
  links.drain();
  await Promise.all([ledger.advertise(null), sleep(clock, config.drainGraceMs)]);
  stopping.abort();
  log.info({ requests: underWay.size }, 'router stopped accepting requests');
  // Requests that arrive while the last responses end get a 503, not a closed port.
  await Promise.allSettled(underWay);
  for (const { server } of listeners) server.close();
  while (underWay.size > 0) await Promise.allSettled(underWay);
}

async function openBase(
  config: RouterConfig,
  parts: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<Base> {
  const log = makeLog('router', config.logLevel);
  const { store, secrets, pepper, clock } = await openInstallation(config, {
    clock: systemClock,
    log,
  });
  parts.use(store);
  parts.use(clock).watch();
  await sealAllAgain(store, { pepper, random, log });
  return {
    config,
    parts,
    log,
    secrets,
    pepper,
    store,
    clock,
    metrics: makeRegistry(),
    live: new Set(),
    underWay: new Set(),
    draining: signal,
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
      onUnhealthy: () => {
        for (const relay of live) relay.abandon();
      },
      onSuspended: (organization) => {
        for (const relay of live) if (relay.organization === organization) relay.suspend();
      },
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

/** What both the data plane and the control plane depend on. */
type Plane = Readonly<{
  ledger: OpenLedger;
  catalog: LiveCatalog;
  fleet: Fleet;
  audit: OpenAudit;
}>;

function makeDataPlane(
  { config, parts, log, metrics, secrets, pepper, store, clock, live, underWay, stopping }: Base,
  { ledger, catalog, fleet, audit, backgroundJobs }: Plane & { backgroundJobs: BackgroundJobs },
): Routes['data'] {
  const callers = new Callers({
    findKey: (digest) => ledger.findKey(digest),
    digestAgain: digestKeysAgain(store, log),
    pepper,
    saltSecret: secrets.cacheSalt,
    limits: config.limits,
    clock,
  });
  parts.defer(() => callers.close());
  const entrance = new Entrance(clock);
  store.onAnnouncement((organization) => {
    callers.forgetOrganization(organization);
    entrance.recent.forget(organization);
    // The heartbeat's reply names organizations that were suspended while they had holds.
    void ledger.heartbeat();
  });
  const deadlines = clock.every(DEADLINES_EVERY_MS, () => {
    const now = clock.monotonic();
    for (const relay of live) relay.tick(now);
  });
  parts.defer(() => deadlines.cancel());
  const requestMetrics = new RequestMetrics(metrics);
  const waiting = new WaitingRoom<SlotReservation>({
    clock,
    live,
    limits: config.waiting,
    onWaited: (model, ms) => requestMetrics.waited(model, ms),
  });
  requestMetrics.watchWaiting(() => waiting.lengths());
  fleet.onRoom(() => waiting.room());
  return makeHandle({
    ledger,
    waiting,
    fleet,
    policy: POLICIES[config.policy],
    random,
    clock,
    log,
    live,
    underWay,
    catalog,
    callers,
    answers: answerBudget(),
    entrance,
    recent: entrance.recent,
    readers: parts.use(new BodyReaders({ clock, log })),
    uploads: new UploadTurns(),
    discards: new UploadTurns(),
    alarm: (what) => requestMetrics.clamped(what),
    bounds: new BillBounds({ alarms: audit.alarms, clock, fleet, log }),
    metrics: requestMetrics,
    stopping: stopping.signal,
    audit: audit.auditor,
    touchKey: (key) => ledger.touchKey(key),
    onExhausted: (organization) => void backgroundJobs.exhausted(organization),
  });
}

async function openControl(
  base: Base,
  { ledger, catalog, fleet, audit, urls }: Plane & { urls: PublicUrls },
): Promise<{ control: Control; backgroundJobs: BackgroundJobs }> {
  const { config, parts, log, metrics, store, clock, draining } = base;
  const started = clock.monotonic();
  const hasBegun = () =>
    fleet.countByPhase().ready > 0 || clock.monotonic() - started > FIRST_WORKER_MS_MAX;
  const onAlarm = countPaymentAlarms(metrics);
  const basics = { store, clock, random, log, urls, pepper: base.pepper, onAlarm };
  const common = { ...basics, provider: await openPayments(base, basics) };
  const { mail, retention } = config;
  const incarnation = () => ledger.incarnation;
  const isPaused = () => clock.fault !== null;
  const backgroundJobs = openBackgroundJobs({ ...common, mail, retention, incarnation, isPaused });
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
    ready: () => ledger.isHealthy() && clock.fault === null && !draining.aborted && hasBegun(),
    notReadyBecause: () => clock.fault,
    allowedHosts: hostNamesOf(config),
  });
  return { control: parts.use(control), backgroundJobs };
}

async function openPayments(
  { config: { payments, secrets: file }, secrets }: Base,
  parts: SandboxParts,
): Promise<PaymentProvider | null> {
  if (payments.provider === 'stripe' && secrets.stripe === null) {
    throw new ConfigError(`${file}: has no Stripe keys, but payments.provider is stripe`);
  }
  return await configuredProvider(payments, { ...parts, stripe: secrets.stripe });
}
