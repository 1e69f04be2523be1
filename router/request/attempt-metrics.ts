/**
 * Hot path. Counts attempts by their worker. Agents choose the names of their workers, so only the
 * workers that were used most recently have series.
 */
import { LRUCache } from 'lru-cache';
import type { Registry } from 'prom-client';
import { Counters, type Tally } from '../../shared/metrics/series.ts';
import { limits } from '../../shared/limits.ts';
import type { Region } from '../../shared/region.ts';
import type { Worker } from '../fleet/worker.ts';
import type { HistoryRecorder } from '../history/recorder.ts';
import type { Heard } from './heard.ts';
import type { Outcome } from './outcome.ts';
import type { Cause } from './who-pays.ts';

export class AttemptMetrics {
  readonly #history: HistoryRecorder;
  readonly #attempts: Counters<'worker' | 'outcome'>;
  readonly #failed: Counters<'worker' | 'reason'>;
  readonly #failovers: Counters<'model' | 'region' | 'reason'>;
  readonly #workers = new LRUCache<string, WorkerSeries>({
    max: limits.workerSeriesMax,
    dispose: ({ outcomes, failures }) => {
      outcomes.remove();
      failures.remove();
    },
  });
  /** By region and model. */
  readonly #failoversOf = new Map<string, Tally>();

  constructor(registry: Registry, history: HistoryRecorder) {
    this.#history = history;
    this.#attempts = new Counters(registry, {
      name: 'penstock_router_attempts_total',
      help: 'Attempts of requests on a worker: finished, stopped (the client left, or the router ended it), refused (no room), failed.',
      labels: ['worker', 'outcome'],
    });
    this.#failed = new Counters(registry, {
      name: 'penstock_router_attempts_failed_total',
      help: 'Attempts that failed, by worker and reason.',
      labels: ['worker', 'reason'],
    });
    this.#failovers = new Counters(registry, {
      name: 'penstock_router_failovers_total',
      help: 'Failed attempts after which another worker was tried, by the reason of the failure.',
      labels: ['model', 'region', 'reason'],
    });
  }

  ended(worker: Worker, { begunAt, firstByteAt }: Heard, outcome: Outcome): void {
    const { id } = worker;
    let series = this.#workers.get(id);
    if (!series) {
      series = {
        outcomes: this.#attempts.by('outcome', { worker: id }),
        failures: this.#failed.by('reason', { worker: id }),
      };
      this.#workers.set(id, series);
    }
    const ttftMs = firstByteAt === null ? null : firstByteAt - begunAt;
    this.#history.attempted(worker, outcome.kind, ttftMs);
    series.outcomes.add(outcome.kind);
    if (outcome.kind === 'failed') series.failures.add(outcome.cause);
  }

  failedOver(model: string, region: Region, reason: Cause): void {
    const key = `${region} ${model}`;
    let tally = this.#failoversOf.get(key);
    if (!tally) {
      tally = this.#failovers.by('reason', { model, region });
      this.#failoversOf.set(key, tally);
    }
    tally.add(reason);
  }
}

type WorkerSeries = Readonly<{ outcomes: Tally; failures: Tally }>;
