/** Hot path. The metrics of requests, by engine and model. */
import { Histogram, type Registry } from 'prom-client';
import type { End } from '../shared/wire/end.ts';
import type { Counts } from './engine/counts.ts';
import type { Meter } from './engine/delivery.ts';
import { Latency, type LatencySeries } from './latency.ts';
import { Tallies, type Tally } from './tallies.ts';

const TTFT_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 2, 4, 8, 15, 30, 60];
const DURATION_SECONDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300, 600, 1_800];

export type RequestStatus =
  | Extract<End, { outcome: 'finished' }>['finish']
  | Extract<End, { outcome: 'failed' }>['reason']
  | 'cancelled'
  | 'lost'
  | 'refused';

type Labels = Readonly<{ engine: string; model: string }>;
type Times = Histogram<'engine' | 'model'>;

export class RequestMetrics {
  readonly #interToken = new Latency(
    'penstock_agent_inter_token_seconds',
    'Time between two chunks of an answer',
  );
  readonly #requests: Tallies<'engine' | 'model' | 'status'>;
  readonly #tokens: Tallies<'engine' | 'model' | 'kind'>;
  readonly #firstToken: Times;
  readonly #duration: Times;
  /** By engine, and then by model. */
  readonly #models = new Map<string, Map<string, ModelMetrics>>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Tallies({
      name: 'penstock_agent_requests_total',
      help: 'Requests by how they ended',
      labelNames: ['engine', 'model', 'status'],
      registers,
    });
    this.#tokens = new Tallies({
      name: 'penstock_agent_tokens_total',
      help: 'Tokens as the engines reported them',
      labelNames: ['engine', 'model', 'kind'],
      registers,
    });
    this.#firstToken = new Histogram({
      name: 'penstock_agent_time_to_first_token_seconds',
      help: 'From the request to the first chunk of its answer',
      labelNames: ['engine', 'model'],
      buckets: TTFT_SECONDS,
      registers,
    });
    this.#duration = new Histogram({
      name: 'penstock_agent_request_duration_seconds',
      help: 'From the request to the end of its answer',
      labelNames: ['engine', 'model'],
      buckets: DURATION_SECONDS,
      registers,
    });
  }

  /**
   * Starts to measure an accepted request. `now` is monotonic ms. `onFirst` is called at the first
   * chunk of the answer.
   */
  begin({ engine, model }: Labels, now: number, onFirst: () => void): RequestMeter {
    return this.#of(engine, model).begin(now, onFirst);
  }

  refused({ engine, model }: Labels): void {
    this.#of(engine, model).ended('refused');
  }

  /** The lines of the metrics that are not in the registry. */
  text(): string {
    return this.#interToken.text();
  }

  #of(engine: string, model: string): ModelMetrics {
    const known = this.#models.get(engine)?.get(model);
    if (known) return known;
    const labels = { engine, model };
    const made = new ModelMetrics(labels, {
      requests: this.#requests.by('status', labels),
      tokens: this.#tokens.by('kind', labels),
      firstToken: this.#firstToken,
      duration: this.#duration,
      interToken: this.#interToken,
    });
    const models = this.#models.get(engine) ?? new Map<string, ModelMetrics>();
    this.#models.set(engine, models.set(model, made));
    return made;
  }
}

type ModelParts = Readonly<{
  requests: Tally;
  tokens: Tally;
  firstToken: Times;
  duration: Times;
  interToken: Latency;
}>;

/** The metrics of the requests for one model at one engine. */
class ModelMetrics {
  readonly #labels: Labels;
  readonly #parts: ModelParts;
  #gaps: LatencySeries | null = null;

  constructor(labels: Labels, parts: ModelParts) {
    this.#labels = labels;
    this.#parts = parts;
  }

  begin(now: number, onFirst: () => void): RequestMeter {
    const { engine, model } = this.#labels;
    this.#gaps ??= this.#parts.interToken.series(engine, model);
    return new RequestMeter(now, this, this.#gaps, onFirst);
  }

  first(seconds: number): void {
    this.#parts.firstToken.observe(this.#labels, seconds);
  }

  ended(status: RequestStatus): void {
    this.#parts.requests.add(status, 1);
  }

  /** Observes the end of a request. `counts` is null if the engine has not seen it. */
  over(status: RequestStatus, seconds: number, counts: Counts | null): void {
    this.ended(status);
    this.#parts.duration.observe(this.#labels, seconds);
    if (!counts) return;
    this.#spent('prompt', counts.prompt);
    this.#spent('completion', counts.completion);
    this.#spent('cached', counts.cached ?? 0);
    this.#spent('reasoning', counts.reasoning ?? 0);
  }

  #spent(kind: string, tokens: number): void {
    if (tokens > 0) this.#parts.tokens.add(kind, tokens);
  }
}

/** Measures the times of one request. */
export class RequestMeter implements Meter {
  /** Monotonic ms, as `firstAt`. */
  readonly startedAt: number;
  /** When the first chunk of the answer came; null until then. */
  firstAt: number | null = null;
  readonly #metrics: ModelMetrics;
  readonly #gaps: LatencySeries;
  readonly #onFirst: () => void;
  #lastAt = 0;

  constructor(start: number, metrics: ModelMetrics, gaps: LatencySeries, onFirst: () => void) {
    this.startedAt = start;
    this.#metrics = metrics;
    this.#gaps = gaps;
    this.#onFirst = onFirst;
  }

  chunk(now: number): void {
    if (this.#lastAt === 0) this.#first(now);
    else this.#gaps.observe((now - this.#lastAt) / 1_000);
    this.#lastAt = now;
  }

  over(status: RequestStatus, now: number, counts: Counts | null): void {
    this.#metrics.over(status, (now - this.startedAt) / 1_000, counts);
  }

  #first(now: number): void {
    this.firstAt = now;
    this.#metrics.first((now - this.startedAt) / 1_000);
    this.#onFirst();
  }
}
