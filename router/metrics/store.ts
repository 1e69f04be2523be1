/** Metrics of the ledger, the store and the clocks. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { Histograms } from '../../shared/metrics/series.ts';
import type { OpenLedger } from '../ledger/ledger.ts';
import type { Kind } from '../ledger/operations.ts';
import type { Store } from '../store/store.ts';
import { watchValue } from './value.ts';

/** Values of the label `operation` that are older than the names of the operations. */
const LABELS: Readonly<Partial<Record<Kind, string>>> = { heartbeat: 'beat', register: 'enlist' };

const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export class LedgerMetrics {
  readonly #commit;
  readonly #operations;
  readonly #faults;
  readonly #lost;
  #isUp = true;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#commit = new Histograms(registry, {
      name: 'penstock_router_ledger_commit_seconds',
      help: 'How long a batch of ledger operations took to commit.',
      labels: [],
      buckets: COMMIT_SECONDS,
    }).series({});
    this.#operations = new Histograms(registry, {
      name: 'penstock_router_ledger_batch_operations',
      help: 'Ledger operations in a batch.',
      labels: [],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    }).series({});
    this.#faults = new Counter({
      name: 'penstock_router_ledger_faults_total',
      help: 'Ledger operations that failed because of a bug, or because of damage in the store.',
      labelNames: ['operation'] as const,
      registers,
    });
    this.#lost = new Counter({
      name: 'penstock_router_ledger_batches_lost_total',
      help: 'Batches of ledger operations that the store did not answer.',
      registers,
    });
    watchValue(
      registry,
      'penstock_router_store_up',
      'Whether the store answered the last batch: 1 or 0. The heartbeat is one, six times in holdTtlMs.',
      () => Number(this.#isUp),
    );
  }

  batch(report: { operations: number; commitMs: number }): void {
    this.#isUp = true;
    this.#commit.observe(report.commitMs / 1000);
    this.#operations.observe(report.operations);
  }

  lost(): void {
    this.#isUp = false;
    this.#lost.inc();
  }

  fault(operation: Kind): void {
    this.#faults.inc({ operation: LABELS[operation] ?? operation });
  }
}

export function watchLedger(registry: Registry, ledger: OpenLedger): void {
  watchValue(
    registry,
    'penstock_router_holds',
    'Holds of the requests in flight on this router.',
    () => ledger.openHolds,
  );
  watchValue(
    registry,
    'penstock_router_heartbeat_age_seconds',
    'Time since the last heartbeat that the store accepted. Beyond half of penstock_router_hold_ttl_seconds the router accepts no requests.',
    () => ledger.liveness.heartbeatAgeMs / 1000,
  );
  watchValue(
    registry,
    'penstock_router_hold_ttl_seconds',
    'How long a router may go without a heartbeat before its peers free its holds: holdTtlMs.',
    () => ledger.liveness.holdTtlMs / 1000,
  );
  watchValue(
    registry,
    'penstock_router_peers',
    'Other routers on the same store that agents can reach, as of the last heartbeat.',
    () => ledger.liveness.peers,
  );
}

/** A store on PostgreSQL has a pool of connections. Others have no such metrics. */
export function watchPool(registry: Registry, { pool }: Pick<Store, 'pool'>): void {
  if (!pool) return;
  new Gauge({
    name: 'penstock_router_store_connections',
    help: 'Connections to PostgreSQL for procedures, those of the ledger not among them.',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idle);
      this.set({ state: 'used' }, pool.used);
    },
  });
  watchValue(
    registry,
    'penstock_router_store_connections_max',
    'The most connections to PostgreSQL for procedures.',
    () => pool.most,
  );
  watchValue(
    registry,
    'penstock_router_store_calls_waiting',
    'Procedures that wait for a connection to PostgreSQL.',
    () => pool.waiting,
  );
}

export function watchClock(registry: Registry, clock: Readonly<{ offsetMs: number }>): void {
  watchValue(
    registry,
    'penstock_router_clock_offset_seconds',
    "How far this machine's clock is ahead of the store's; beyond 60 s the router accepts no new work.",
    () => clock.offsetMs / 1000,
  );
}
