/**
 * The router's Prometheus metrics: its fleet, its ledger and its process. `request/metrics.ts` adds
 * the metrics of requests.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { closeUnread } from '../shared/bounds/stop-parsing.ts';
import { isExpectedHost } from '../shared/host-names.ts';
import { limits } from '../shared/limits.ts';
import { REGIONS } from '../shared/region.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { Kind } from './ledger/operations.ts';
import type { Listening } from './listen.ts';

/** Values of the label `operation` that are older than the names of the operations. */
const LABELS: Readonly<Partial<Record<Kind, string>>> = { heartbeat: 'beat', register: 'enlist' };

const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

/**
 * A registry with the metrics of the process, including the delay of the event loop. `process` is
 * the label of all its series if the router is several processes.
 */
export function makeRegistry(process?: number | 'parent'): Registry {
  const registry = new Registry();
  if (process !== undefined) registry.setDefaultLabels({ process: `${process}` });
  collectDefaultMetrics({ register: registry, prefix: 'penstock_router_' });
  return registry;
}

export class LedgerMetrics {
  readonly #commit;
  readonly #operations;
  readonly #faults;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#commit = new Histogram({
      name: 'penstock_router_ledger_commit_seconds',
      help: 'How long a batch of ledger operations took to commit.',
      buckets: COMMIT_SECONDS,
      registers,
    });
    this.#operations = new Histogram({
      name: 'penstock_router_ledger_batch_operations',
      help: 'Ledger operations in a batch.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
      registers,
    });
    this.#faults = new Counter({
      name: 'penstock_router_ledger_faults_total',
      help: 'Ledger operations that failed because of a bug, or because of damage in the store.',
      labelNames: ['operation'] as const,
      registers,
    });
  }

  batch(report: { operations: number; commitMs: number }): void {
    this.#commit.observe(report.commitMs / 1000);
    this.#operations.observe(report.operations);
  }

  fault(operation: Kind): void {
    this.#faults.inc({ operation: LABELS[operation] ?? operation });
  }
}

/**
 * Counts alarms that an operator should check: payments that their provider leaves undecided, and
 * reports of a provider that cannot be right.
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

export function watchHolds(registry: Registry, count: () => number): void {
  new Gauge({
    name: 'penstock_router_holds',
    help: 'Holds of the requests in flight on this router.',
    registers: [registry],
    collect() {
      this.set(count());
    },
  });
}

export function watchClock(registry: Registry, clock: Readonly<{ offsetMs: number }>): void {
  new Gauge({
    name: 'penstock_router_clock_offset_seconds',
    help: "How far this machine's clock is ahead of the store's; beyond 60 s the router accepts no new work.",
    registers: [registry],
    collect() {
      this.set(clock.offsetMs / 1000);
    },
  });
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

export function watchFleet(registry: Registry, fleet: Fleet): void {
  new Gauge({
    name: 'penstock_router_workers',
    help: 'Workers by phase.',
    labelNames: ['phase'],
    registers: [registry],
    collect() {
      for (const [phase, count] of Object.entries(fleet.countByPhase())) this.set({ phase }, count);
    },
  });
  new Gauge({
    name: 'penstock_router_prefix_index_entries',
    help: 'Chunks of prompts in the prefix index, once for each worker that was sent them.',
    registers: [registry],
    collect() {
      this.set(fleet.forecasts.index.entries);
    },
  });
  new Gauge({
    name: 'penstock_router_prefix_index_bytes',
    help: 'Memory of the prefix index.',
    registers: [registry],
    collect() {
      this.set(fleet.forecasts.index.bytes);
    },
  });
  new Gauge({
    name: 'penstock_router_workers_ready',
    help: 'Workers that accept requests, by the region that they serve besides the global one.',
    labelNames: ['region'],
    registers: [registry],
    collect() {
      for (const region of REGIONS) this.set({ region }, 0);
      for (const { phase, region } of fleet.workers) if (phase === 'ready') this.inc({ region });
    },
  });
  new Gauge({
    name: 'penstock_router_worker_running',
    help: 'Requests of this router in flight on a worker.',
    labelNames: ['worker'],
    registers: [registry],
    collect() {
      this.reset();
      for (const worker of fleet.workers) this.set({ worker: worker.id }, worker.inFlight);
    },
  });
}

/** The most workers with a time series of their own. Agents choose the names of their workers. */
const WORKER_SERIES_MAX = 1_024;

export function watchBreakers(registry: Registry, fleet: Fleet): void {
  new Gauge({
    name: 'penstock_router_worker_share',
    help: 'The share of its slots that a worker may fill: 0 while its breaker is open.',
    labelNames: ['worker'],
    registers: [registry],
    collect() {
      this.reset();
      let series = 0;
      for (const { id, breaker } of fleet.workers) {
        if (series++ < WORKER_SERIES_MAX) this.set({ worker: id }, breaker.share);
      }
    },
  });
  new Counter({
    name: 'penstock_router_breaker_turns_total',
    help: 'How often the breakers of workers changed to a state.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [state, count] of Object.entries(fleet.breakerTransitions))
        this.inc({ state }, count);
    },
  });
}

export type MetricsServer = AsyncDisposable & Readonly<{ url: string }>;

/** Serves a registry on a separate port that only monitoring can reach. */
export async function serveMetrics(
  registry: Pick<Registry, 'metrics' | 'contentType'>,
  at: Readonly<{
    host: string;
    port: number;
    allowedHosts?: readonly string[] | undefined;
  }>,
): Promise<MetricsServer> {
  const { allowedHosts = [] } = at;
  // Concurrent scrapes share one rendering of the page.
  let page: Promise<string> | null = null;
  const server = createServer((request, response) => {
    closeUnread(request, response);
    if (!isExpectedHost(request.headers.host, allowedHosts)) {
      return void response.writeHead(403).end('metrics.allowedHosts does not list this Host\n');
    }
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    page ??= registry.metrics().finally(() => {
      page = null;
    });
    page.then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = limits.metricsConnectionsMax;
  server.listen(at.port, at.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${at.host}:${port}/metrics`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
