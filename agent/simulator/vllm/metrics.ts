/** /metrics under vLLM's own names, with its labels `model_name` and `engine`. */
import { Counter, Gauge, Histogram } from 'prom-client';
import { BLOCK_TOKENS } from '../kv/block-hash.ts';
import type { Scheduler } from '../scheduler.ts';
import type { FinishReason } from '../wire/chunks.ts';
import { countOf, MetricsPage } from '../wire/metrics-page.ts';
import { GapHistogram } from './gap-histogram.ts';

const LABELS = ['model_name', 'engine'] as const;
const ENGINE = '0';

const FIRST_TOKEN_BUCKETS_S = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
  160, 640, 2560,
];
const REQUEST_BUCKETS_S = [
  0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680,
];

/** The counters that the scheduler keeps itself. */
const TOTALS = [
  ['prefix_cache_queries_total', 'Prefix cache queries, in tokens.', 'cacheQueries'],
  ['prefix_cache_hits_total', 'Prefix cache hits, in tokens.', 'cacheHits'],
  ['prompt_tokens_total', 'Number of prefill tokens processed.', 'promptTokens'],
  ['generation_tokens_total', 'Number of generation tokens processed.', 'generationTokens'],
  ['num_preemptions_total', 'Cumulative number of preemption from the engine.', 'preemptions'],
] as const;

export class VllmPage extends MetricsPage {
  readonly #gaps: ReadonlyMap<string, GapHistogram>;
  readonly #success: Counter<'finished_reason' | (typeof LABELS)[number]>;
  readonly #firstToken: Histogram<(typeof LABELS)[number]>;
  readonly #queue: Histogram<(typeof LABELS)[number]>;
  readonly #whole: Histogram<(typeof LABELS)[number]>;

  constructor(scheduler: Scheduler, models: readonly string[]) {
    super({ prefix: 'vllm', models, labelsOf });
    this.#gaps = new Map(models.map((model) => [model, new GapHistogram()]));
    this.#registerGauges(scheduler);
    for (const [name, help, key] of TOTALS) {
      this.register('counter', name, help, (model) => scheduler.totals(model)[key]);
    }
    const registers = [this.registry];
    this.#success = new Counter({
      name: 'vllm:request_success_total',
      help: 'Count of successfully processed requests.',
      labelNames: [...LABELS, 'finished_reason'],
      registers,
    });
    const histogram = (name: string, help: string, buckets: number[]) =>
      new Histogram({ name: `vllm:${name}`, help, labelNames: LABELS, buckets, registers });
    this.#firstToken = histogram(
      'time_to_first_token_seconds',
      'Histogram of time to first token in seconds.',
      FIRST_TOKEN_BUCKETS_S,
    );
    this.#whole = histogram(
      'e2e_request_latency_seconds',
      'Histogram of e2e request latency in seconds.',
      REQUEST_BUCKETS_S,
    );
    this.#queue = histogram(
      'request_queue_time_seconds',
      'Histogram of time spent in WAITING phase for request.',
      REQUEST_BUCKETS_S,
    );
    for (const model of models) {
      for (const finished_reason of ['stop', 'length', 'abort', 'error']) {
        this.#success.inc({ ...labelsOf(model), finished_reason }, 0);
      }
      for (const each of [this.#firstToken, this.#whole, this.#queue]) each.zero(labelsOf(model));
    }
  }

  override admitted(model: string, waitedMs: number): void {
    this.#queue.observe(labelsOf(model), waitedMs / 1000);
  }

  override firstToken(model: string, sinceArrivalMs: number): void {
    this.#firstToken.observe(labelsOf(model), sinceArrivalMs / 1000);
  }

  override nextToken(model: string, sinceLastMs: number): void {
    this.#gaps.get(model)?.observe(sinceLastMs / 1000);
  }

  override finished(model: string, reason: FinishReason, sinceArrivalMs: number): void {
    super.finished(model, reason, sinceArrivalMs);
    this.#success.inc({ ...labelsOf(model), finished_reason: reason });
    this.#whole.observe(labelsOf(model), sinceArrivalMs / 1000);
  }

  override async text(): Promise<string> {
    const gaps = [...this.#gaps].flatMap(([model, gap]) =>
      gap.lines(`model_name=${JSON.stringify(model)},engine="${ENGINE}"`),
    );
    return `${await super.text()}${[...GapHistogram.head, ...gaps].join('\n')}\n`;
  }

  #registerGauges(scheduler: Scheduler): void {
    const { running, waiting, pool } = scheduler;
    this.register(
      'gauge',
      'num_requests_running',
      'Number of requests in model execution batches.',
      (model) => countOf(running, model),
    );
    this.register(
      'gauge',
      'num_requests_waiting',
      'Number of requests waiting to be processed.',
      (model) => countOf(waiting, model),
    );
    this.register(
      'gauge',
      'kv_cache_usage_perc',
      'KV-cache usage. 1 means 100 percent usage.',
      () => pool.usage,
    );
    new Gauge({
      name: 'vllm:cache_config_info',
      help: 'Information of the LLMEngine CacheConfig',
      labelNames: ['block_size', 'num_gpu_blocks', 'enable_prefix_caching', 'engine'],
      registers: [this.registry],
    }).set(
      {
        block_size: BLOCK_TOKENS,
        num_gpu_blocks: pool.capacity,
        enable_prefix_caching: 'True',
        engine: ENGINE,
      },
      1,
    );
  }
}

function labelsOf(model: string): { model_name: string; engine: string } {
  return { model_name: model, engine: ENGINE };
}
