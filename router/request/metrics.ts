/**
 * Hot path. Metrics of the request path. Labels are bounded: model ids of the catalog, statuses,
 * codes. The series of a model are looked up once for each region, streamed or not, and kept.
 */
import { Counter, Gauge, type Registry } from 'prom-client';
import {
  Counters,
  type Distribution,
  Histograms,
  type Tally,
} from '../../shared/metrics/series.ts';
import type { PicoUsd } from '../../shared/money.ts';
import type { Refusal } from '../../shared/refusals.ts';
import { REGIONS, type Region } from '../../shared/region.ts';
import type { HistoryRecorder } from '../history/recorder.ts';
import { CLIENT_LEFT, type Usage } from '../ledger/terms.ts';
import { AttemptMetrics } from './attempt-metrics.ts';
import { KeyRefusal } from './key-refusal.ts';
import type { Relay } from './relay.ts';
import {
  type Families,
  familiesIn,
  type PredictedTokens,
  RegionalSeries,
  RequestSeries,
} from './request-series.ts';
import type { WaitingByModel } from './waiting-room.ts';

/** Latency that the ledger adds to an answer: finer than that of a request. */
const LEDGER_SECONDS = [
  0.0002, 0.0005, 0.001, 0.0015, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.025, 0.05, 0.1, 0.5, 1,
  5,
];
const DECISION_SECONDS = [
  0.000_01, 0.000_02, 0.000_05, 0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.1,
];

/** What labels a request. Null where it was refused before that was known. */
export type RequestLabels = Readonly<{
  region: Region;
  model: string | null;
  streamed: boolean | null;
}>;

/** `now` returns ms since the epoch, for the time of exemplars. */
type RequestMetricsParts = Readonly<{
  registry: Registry;
  now: () => number;
  history: HistoryRecorder;
}>;

export class RequestMetrics {
  readonly attempts: AttemptMetrics;
  readonly #registry: Registry;
  readonly #history: HistoryRecorder;
  readonly #families: Families;
  readonly #decision: Distribution;
  readonly #admission: Distribution;
  readonly #settlement: Distribution;
  readonly #reservations: Tally;
  readonly #keysRefused: Counter<'region' | 'cause'>;
  readonly #replays: Counter<'model'>;
  readonly #clamps: Counter<'what'>;
  readonly #tokenCounts: Counter<'by'>;
  /** By model, and then by region and by streamed or not. */
  readonly #series = new Map<string, (RequestSeries | undefined)[]>();
  readonly #regional = new Map<string, (RegionalSeries | undefined)[]>();

  constructor({ registry, now, history }: RequestMetricsParts) {
    this.#registry = registry;
    this.#history = history;
    this.attempts = new AttemptMetrics(registry, history);
    this.#families = familiesIn(registry, now);
    const one = (name: string, help: string, buckets: readonly number[]) =>
      new Histograms(registry, { name, help, labels: [], buckets }).series({});
    this.#decision = one(
      'penstock_router_decision_seconds',
      'How long it took to pick a worker, without the time to hash the prompt.',
      DECISION_SECONDS,
    );
    this.#admission = one(
      'penstock_router_admission_seconds',
      'How long a request waited for the ledger to hold its credit.',
      LEDGER_SECONDS,
    );
    this.#settlement = one(
      'penstock_router_settlement_seconds',
      'How long the last bytes of an answer waited for its charge to be durable.',
      LEDGER_SECONDS,
    );
    this.#reservations = new Counters(registry, {
      name: 'penstock_router_reservations_total',
      help: 'Answers of the ledger to requests for credit: held, stale (the key is looked up again), or the code of the refusal.',
      labels: ['result'],
    }).by('result', {});
    const registers = [registry];
    this.#keysRefused = new Counter({
      name: 'penstock_router_keys_refused_total',
      help: 'Requests that were refused for their API key, by the cause.',
      labelNames: ['region', 'cause'] as const,
      registers,
    });
    this.#replays = new Counter({
      name: 'penstock_router_replays_total',
      help: 'Requests that got the answer of an earlier one under their Idempotency-Key.',
      labelNames: ['model'] as const,
      registers,
    });
    this.#clamps = new Counter({
      name: 'penstock_router_clamps_total',
      help: 'Impossible counts that agents reported and that were clamped to what is possible.',
      labelNames: ['what'] as const,
      registers,
    });
    this.#tokenCounts = new Counter({
      name: 'penstock_router_token_counts_total',
      help: 'Answers of count_tokens, by who counted: an engine, or the estimate of the router.',
      labelNames: ['by'] as const,
      registers,
    });
    this.#watchInFlight();
  }

  /** `waiting` returns the requests that wait, by model and region. */
  watchWaiting(waiting: () => Iterable<WaitingByModel>): void {
    new Gauge({
      name: 'penstock_router_requests_waiting',
      help: 'Admitted requests that wait because every worker of their model is full.',
      labelNames: ['model', 'region'] as const,
      registers: [this.#registry],
      collect() {
        for (const { model, region, length } of waiting()) this.set({ model, region }, length);
      },
    });
  }

  /** `pauses` returns the number of pauses that are not over. */
  watchCountPauses(pauses: () => number): void {
    new Gauge({
      name: 'penstock_router_token_count_pauses',
      help: 'Workers that are not asked for a while to count texts, once for each organization.',
      registers: [this.#registry],
      collect() {
        this.set(pauses());
      },
    });
  }

  waited(model: string, region: Region, ms: number): void {
    this.#regionalOf(model, region).waiting.observe(ms / 1000);
  }

  /** The ledger has answered whether it holds credit for a request. */
  reserved(result: string): void {
    this.#reservations.add(result);
  }

  admitted(ms: number): void {
    this.#admission.observe(ms / 1000);
  }

  decided(ms: number): void {
    this.#decision.observe(ms / 1000);
  }

  settled(ms: number): void {
    this.#settlement.observe(ms / 1000);
  }

  began(model: string, region: Region): void {
    this.#regionalOf(model, region).inFlight += 1;
  }

  ended(model: string, region: Region): void {
    this.#regionalOf(model, region).inFlight -= 1;
  }

  /** A request that got an error. */
  refused(labels: RequestLabels, refusal: Refusal): void {
    this.#of(labels).ended(refusal.status, refusal.code);
    this.#history.ended(labels.region, labels.model, refusal.status);
    if (!(refusal instanceof KeyRefusal)) return;
    this.#keysRefused.inc({ region: labels.region, cause: refusal.cause });
  }

  /** A repeated request that got the answer of the first one. */
  replayed(model: string): void {
    this.#replays.inc({ model });
  }

  tokensCounted(by: string): void {
    this.#tokenCounts.inc({ by });
  }

  clamped(what: string): void {
    this.#clamps.inc({ what });
  }

  /** A request whose answer was ended before it was complete. */
  left(labels: RequestLabels, usage: Usage): void {
    this.#of(labels).ended(usage.status, usage.error ?? '');
    this.#history.ended(labels.region, usage.model, usage.status);
    this.#billed(labels.region, usage);
  }

  /** A request whose client left before a worker had it. */
  leftUnserved(labels: RequestLabels): void {
    this.#of(labels).ended(CLIENT_LEFT, '');
    this.#history.ended(labels.region, labels.model, CLIENT_LEFT);
  }

  /** An admitted request has ended, however. `cost`: null if it is not charged. */
  concluded(labels: RequestLabels, { request, model, ttftMs }: Usage, cost: PicoUsd | null): void {
    if (ttftMs !== null) {
      this.#of(labels).firstToken.observeFor(request, ttftMs / 1000);
      this.#history.firstToken(labels.region, model, ttftMs);
    }
    if (cost !== null) this.#regionalOf(model, labels.region).charged(cost);
  }

  served(
    labels: RequestLabels,
    usage: Usage,
    predicted: PredictedTokens,
    { heard }: Pick<Relay, 'heard'>,
  ): void {
    const series = this.#of(labels);
    series.ended(usage.status, '');
    this.#history.ended(labels.region, usage.model, usage.status);
    this.#billed(labels.region, usage);
    this.#regionalOf(usage.model, labels.region).cached(usage, predicted);
    series.duration.observeFor(usage.request, usage.durationMs / 1000);
    const { firstByteAt, lastByteAt } = heard;
    if (firstByteAt !== null && lastByteAt !== null && usage.completionTokens > 1) {
      const seconds = (lastByteAt - firstByteAt) / 1000 / (usage.completionTokens - 1);
      series.interToken.observeFor(usage.request, seconds);
      if (seconds > 0) this.#history.generated(labels.region, usage, 1 / seconds);
    }
  }

  #billed(region: Region, usage: Usage): void {
    this.#regionalOf(usage.model, region).billed(usage);
    this.#history.billed(region, usage);
  }

  #of({ model, region, streamed }: RequestLabels): RequestSeries {
    const name = model ?? '';
    let all = this.#series.get(name);
    if (!all) this.#series.set(name, (all = []));
    const at = 3 * REGIONS.indexOf(region) + (streamed === null ? 2 : Number(streamed));
    return (all[at] ??= new RequestSeries(this.#families, {
      model: name,
      region,
      streamed: streamed === null ? '' : String(streamed),
    }));
  }

  #regionalOf(model: string, region: Region): RegionalSeries {
    let all = this.#regional.get(model);
    if (!all) this.#regional.set(model, (all = []));
    return (all[REGIONS.indexOf(region)] ??= new RegionalSeries(this.#families, {
      model,
      region,
    }));
  }

  #watchInFlight(): void {
    const regional = this.#regional;
    new Gauge({
      name: 'penstock_router_requests_in_flight',
      help: 'Requests between admission and their end.',
      labelNames: ['model', 'region'] as const,
      registers: [this.#registry],
      collect() {
        for (const series of [...regional.values()].flat()) {
          if (series) this.set(series.labels, series.inFlight);
        }
      },
    });
  }
}
