/** /metrics under SGLang's own names. Served with `--enable-metrics` only. */
import { type Sample, MetricsPage, pageText } from '../wire/metrics-page.ts';
import { BLOCK_TOKENS } from '../kv/block-hash.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Sequence, Totals } from '../sequence.ts';

export class SglangPage extends MetricsPage {
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  readonly #scheduler: Scheduler;
  readonly #models: readonly string[];

  constructor(scheduler: Scheduler, models: readonly string[]) {
    super();
    this.#scheduler = scheduler;
    this.#models = models;
  }

  override async text(): Promise<string> {
    const { running, waiting, pool } = this.#scheduler;
    const kvTokens = pool.capacity * BLOCK_TOKENS;
    const total = (key: keyof Totals) => (model: string) => this.#scheduler.totals(model)[key];
    return pageText([
      this.#sample('gauge', 'num_running_reqs', 'The number of running requests', (model) =>
        countOf(running, model),
      ),
      this.#sample(
        'gauge',
        'num_queue_reqs',
        'The number of requests in the waiting queue',
        (model) => countOf(waiting, model),
      ),
      this.#sample('gauge', 'token_usage', 'The token usage', () => pool.usage),
      this.#sample('gauge', 'num_used_tokens', 'The number of used tokens', () =>
        Math.round(pool.usage * kvTokens),
      ),
      this.#sample(
        'gauge',
        'max_total_num_tokens',
        'Maximum total number of tokens',
        () => kvTokens,
      ),
      this.#sample('gauge', 'cache_hit_rate', 'The prefix cache hit rate', (model) => {
        const { cacheHits, cacheQueries } = this.#scheduler.totals(model);
        return cacheQueries === 0 ? 0 : cacheHits / cacheQueries;
      }),
      this.#sample(
        'counter',
        'prompt_tokens_total',
        'Number of prefill tokens processed.',
        total('promptTokens'),
      ),
      this.#sample(
        'counter',
        'generation_tokens_total',
        'Number of generation tokens processed.',
        total('generationTokens'),
      ),
      this.#sample(
        'counter',
        'cached_tokens_total',
        'Number of cached prompt tokens.',
        total('cacheHits'),
      ),
    ]);
  }

  #sample(
    type: Sample['type'],
    name: string,
    help: string,
    value: (model: string) => number,
  ): Sample {
    const values = this.#models.map((model) => ({
      labels: `model_name=${JSON.stringify(model)},engine_type="unified",tp_rank="0",pp_rank="0"`,
      value: value(model),
    }));
    return { name: `sglang:${name}`, type, help, values };
  }
}

function countOf(sequences: Iterable<Sequence>, model: string): number {
  let count = 0;
  for (const { generation } of sequences) if (generation.model === model) count++;
  return count;
}
