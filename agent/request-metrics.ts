/** Hot path. The metrics of requests, by engine and model. */
import type { Registry } from 'prom-client';
import {
  DURATION_SECONDS,
  FIRST_TOKEN_SECONDS,
  INTER_TOKEN_SECONDS,
} from '../shared/metrics/buckets.ts';
import { Counters, type Distribution, Histograms, type Tally } from '../shared/metrics/series.ts';
import type { End } from '../shared/wire/end.ts';
import type { Counts } from './engine/counts.ts';
import type { Meter } from './engine/delivery.ts';

export type RequestStatus =
  | Extract<End, { outcome: 'finished' }>['finish']
  | Extract<End, { outcome: 'failed' }>['reason']
  | 'cancelled'
  | 'lost'
  | 'refused';

const LABELS = ['engine', 'model'] as const;
type Label = (typeof LABELS)[number];
type Labels = Readonly<Record<Label, string>>;

type Families = Readonly<{
  requests: Counters<Label | 'status'>;
  tokens: Counters<Label | 'kind'>;
  firstToken: Histograms<Label>;
  interToken: Histograms<Label>;
  duration: Histograms<Label>;
}>;

export class RequestMetrics {
  readonly #families;
  /** By engine, and then by model. */
  readonly #models = new Map<string, Map<string, ModelMetrics>>();

  constructor(registry: Registry) {
    const times = (name: string, help: string, buckets: readonly number[]) =>
      new Histograms(registry, { name, help, labels: LABELS, buckets });
    this.#families = {
      requests: new Counters(registry, {
        name: 'penstock_agent_requests_total',
        help: 'Requests by how they ended: the finish reason, the reason of a failure, cancelled, lost, or refused.',
        labels: [...LABELS, 'status'],
      }),
      tokens: new Counters(registry, {
        name: 'penstock_agent_tokens_total',
        help: 'Tokens as the engines reported them.',
        labels: [...LABELS, 'kind'],
      }),
      firstToken: times(
        'penstock_agent_time_to_first_token_seconds',
        'From the request to the first chunk of its answer.',
        FIRST_TOKEN_SECONDS,
      ),
      interToken: times(
        'penstock_agent_inter_token_seconds',
        'Time between two chunks of an answer.',
        INTER_TOKEN_SECONDS,
      ),
      duration: times(
        'penstock_agent_request_duration_seconds',
        'From the request to the end of its answer.',
        DURATION_SECONDS,
      ),
    } satisfies Families;
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

  #of(engine: string, model: string): ModelMetrics {
    const known = this.#models.get(engine)?.get(model);
    if (known) return known;
    const made = new ModelMetrics({ engine, model }, this.#families);
    const models = this.#models.get(engine) ?? new Map<string, ModelMetrics>();
    this.#models.set(engine, models.set(model, made));
    return made;
  }
}

/** The metrics of the requests for one model at one engine. */
class ModelMetrics {
  readonly #requests: Tally;
  readonly #tokens: Tally;
  readonly #firstToken: Distribution;
  readonly #interToken: Distribution;
  readonly #duration: Distribution;

  constructor(labels: Labels, families: Families) {
    this.#requests = families.requests.by('status', labels);
    this.#tokens = families.tokens.by('kind', labels);
    this.#firstToken = families.firstToken.series(labels);
    this.#interToken = families.interToken.series(labels);
    this.#duration = families.duration.series(labels);
  }

  begin(now: number, onFirst: () => void): RequestMeter {
    return new RequestMeter(now, this, this.#interToken, onFirst);
  }

  first(seconds: number): void {
    this.#firstToken.observe(seconds);
  }

  ended(status: RequestStatus): void {
    this.#requests.add(status);
  }

  /** Observes the end of a request. `counts` is null if the engine has not seen it. */
  over(status: RequestStatus, seconds: number, counts: Counts | null): void {
    this.ended(status);
    this.#duration.observe(seconds);
    if (!counts) return;
    this.#spent('prompt', counts.prompt);
    this.#spent('completion', counts.completion);
    this.#spent('cached', counts.cached ?? 0);
    this.#spent('reasoning', counts.reasoning ?? 0);
  }

  #spent(kind: string, tokens: number): void {
    if (tokens > 0) this.#tokens.add(kind, tokens);
  }
}

/** Measures the times of one request. */
export class RequestMeter implements Meter {
  /** Monotonic ms, as `firstAt`. */
  readonly startedAt: number;
  /** When the first chunk of the answer came; null until then. */
  firstAt: number | null = null;
  readonly #metrics: ModelMetrics;
  readonly #gaps: Distribution;
  readonly #onFirst: () => void;
  #lastAt = 0;

  constructor(start: number, metrics: ModelMetrics, gaps: Distribution, onFirst: () => void) {
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
