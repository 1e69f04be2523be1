/** Metrics of the request path. Labels are bounded: model ids of the catalog, statuses, codes. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Refusal, RefusalCode } from '../../shared/refusals.ts';
import type { Usage } from '../ledger/terms.ts';
import type { Relay } from './relay.ts';

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
/** Latency that the ledger adds to an answer: finer than that of a request. */
const LEDGER_SECONDS = [
  0.0002, 0.0005, 0.001, 0.0015, 0.002, 0.003, 0.005, 0.0075, 0.01, 0.015, 0.025, 0.05, 0.1, 0.5, 1,
  5,
];
const DECISION_SECONDS = [
  0.000_01, 0.000_02, 0.000_05, 0.000_1, 0.000_2, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.1,
];
const INTER_TOKEN_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.035, 0.05, 0.1, 0.25, 1];

export class RequestMetrics {
  readonly #requests;
  readonly #replays;
  readonly #inFlight;
  readonly #ttft;
  readonly #interToken;
  readonly #duration;
  readonly #decision;
  readonly #admission;
  readonly #settlement;
  readonly #tokens;
  readonly #cached;
  readonly #attempts;
  readonly #alarms;
  readonly #tokenCounts;
  readonly #waited;
  readonly #registry: Registry;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#registry = registry;
    this.#requests = new Counter({
      name: 'penstock_router_requests_total',
      help: 'Requests by model and HTTP status; 499: the client left.',
      labelNames: ['model', 'status', 'code'] as const,
      registers,
    });
    this.#replays = new Counter({
      name: 'penstock_router_replays_total',
      help: 'Requests that got the answer of an earlier one under their Idempotency-Key.',
      labelNames: ['model'] as const,
      registers,
    });
    this.#inFlight = new Gauge({
      name: 'penstock_router_requests_in_flight',
      help: 'Requests between admission and their end.',
      labelNames: ['model'] as const,
      registers,
    });
    this.#ttft = new Histogram({
      name: 'penstock_router_time_to_first_token_seconds',
      help: 'From arrival to the first delta (text, reasoning or tool call) of answers that were charged.',
      labelNames: ['model'] as const,
      buckets: SECONDS,
      registers,
    });
    this.#interToken = new Histogram({
      name: 'penstock_router_inter_token_seconds',
      help: 'Mean time between the tokens of an answer, one observation an answer.',
      labelNames: ['model'] as const,
      buckets: INTER_TOKEN_SECONDS,
      registers,
    });
    this.#duration = new Histogram({
      name: 'penstock_router_request_duration_seconds',
      help: 'From arrival to the end of the answer.',
      labelNames: ['model'] as const,
      buckets: SECONDS,
      registers,
    });
    this.#decision = new Histogram({
      name: 'penstock_router_decision_seconds',
      help: 'How long it took to pick a worker, without the time to hash the prompt.',
      buckets: DECISION_SECONDS,
      registers,
    });
    this.#admission = new Histogram({
      name: 'penstock_router_admission_seconds',
      help: 'How long a request waited for the ledger to hold its credit.',
      buckets: LEDGER_SECONDS,
      registers,
    });
    this.#settlement = new Histogram({
      name: 'penstock_router_settlement_seconds',
      help: 'How long the last bytes of an answer waited for its charge to be durable.',
      buckets: LEDGER_SECONDS,
      registers,
    });
    this.#tokens = new Counter({
      name: 'penstock_router_tokens_total',
      help: 'Billed tokens: input (without cached), cached, output.',
      labelNames: ['model', 'kind'] as const,
      registers,
    });
    this.#cached = new Counter({
      name: 'penstock_router_cached_tokens_total',
      help: 'Cached prompt tokens of finished answers: as predicted, and as reported.',
      labelNames: ['model', 'source'] as const,
      registers,
    });
    this.#attempts = new Counter({
      name: 'penstock_router_attempts_failed_total',
      help: 'Attempts on a worker that failed, by the code of the failure.',
      labelNames: ['model', 'code'] as const,
      registers,
    });
    this.#waited = new Histogram({
      name: 'penstock_router_waiting_seconds',
      help: 'How long requests waited for a worker with room, if they had to wait.',
      labelNames: ['model'] as const,
      buckets: SECONDS,
      registers,
    });
    this.#alarms = new Counter({
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
  }

  /** `lengths` returns the number of waiting requests by model. */
  watchWaiting(lengths: () => ReadonlyMap<string, number>): void {
    new Gauge({
      name: 'penstock_router_requests_waiting',
      help: 'Admitted requests that wait because every worker of their model is full.',
      labelNames: ['model'] as const,
      registers: [this.#registry],
      collect() {
        for (const [model, length] of lengths()) this.set({ model }, length);
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

  waited(model: string, ms: number): void {
    this.#waited.observe({ model }, ms / 1000);
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

  began(model: string): void {
    this.#inFlight.inc({ model });
  }

  ended(model: string): void {
    this.#inFlight.dec({ model });
  }

  /** A request that got an error. `model` is null when the refusal came before it was known. */
  refused(model: string | null, refusal: Refusal): void {
    this.#requests.inc({ model: model ?? '', status: refusal.status, code: refusal.code });
  }

  attemptFailed(model: string, code: RefusalCode): void {
    this.#attempts.inc({ model, code });
  }

  /** A repeated request that got the answer of the first one. */
  replayed(model: string): void {
    this.#replays.inc({ model });
  }

  tokensCounted(by: string): void {
    this.#tokenCounts.inc({ by });
  }

  clamped(what: string): void {
    this.#alarms.inc({ what });
  }

  /** A request whose answer was ended before it was complete. */
  left(usage: Usage): void {
    this.#count(usage);
  }

  /** A request whose client left before a worker had it. */
  leftUnserved(model: string): void {
    this.#requests.inc({ model, status: 499, code: '' });
  }

  served(usage: Usage, predictedCached: number, { heard }: Pick<Relay, 'heard'>): void {
    this.#count(usage);
    const { model } = usage;
    this.#duration.observe({ model }, usage.durationMs / 1000);
    this.#cached.inc({ model, source: 'predicted' }, predictedCached);
    this.#cached.inc({ model, source: 'reported' }, usage.cachedTokens);
    const { firstByteAt, lastByteAt } = heard;
    if (usage.ttftMs !== null) this.#ttft.observe({ model }, usage.ttftMs / 1000);
    if (firstByteAt !== null && lastByteAt !== null && usage.completionTokens > 1) {
      const seconds = (lastByteAt - firstByteAt) / 1000 / (usage.completionTokens - 1);
      this.#interToken.observe({ model }, seconds);
    }
  }

  #count(usage: Usage): void {
    const { model, promptTokens, cachedTokens, completionTokens } = usage;
    this.#requests.inc({ model, status: usage.status, code: usage.error ?? '' });
    this.#tokens.inc({ model, kind: 'input' }, promptTokens - cachedTokens);
    this.#tokens.inc({ model, kind: 'cached' }, cachedTokens);
    this.#tokens.inc({ model, kind: 'output' }, completionTokens);
  }
}
