/** /metrics under SGLang's own names. Served with `--enable-metrics` only. */
import { BLOCK_TOKENS } from '../kv/block-hash.ts';
import type { Scheduler } from '../scheduler.ts';
import { countOf, MetricsPage } from '../wire/metrics-page.ts';

/** The counters that the scheduler keeps itself. */
const TOTALS = [
  ['prompt_tokens_total', 'Number of prefill tokens processed.', 'promptTokens'],
  ['generation_tokens_total', 'Number of generation tokens processed.', 'generationTokens'],
  ['cached_tokens_total', 'Number of cached prompt tokens.', 'cacheHits'],
] as const;

export class SglangPage extends MetricsPage {
  constructor(scheduler: Scheduler, models: readonly string[]) {
    super({
      prefix: 'sglang',
      models,
      labelsOf: (model) => ({
        model_name: model,
        engine_type: 'unified',
        tp_rank: '0',
        pp_rank: '0',
      }),
    });
    const { running, waiting, pool } = scheduler;
    const kvTokens = pool.capacity * BLOCK_TOKENS;
    const hitRate = (model: string): number => {
      const { cacheHits, cacheQueries } = scheduler.totals(model);
      return cacheQueries === 0 ? 0 : cacheHits / cacheQueries;
    };
    this.register('gauge', 'num_running_reqs', 'The number of running requests', (model) =>
      countOf(running, model),
    );
    this.register(
      'gauge',
      'num_queue_reqs',
      'The number of requests in the waiting queue',
      (model) => countOf(waiting, model),
    );
    this.register('gauge', 'token_usage', 'The token usage', () => pool.usage);
    this.register('gauge', 'num_used_tokens', 'The number of used tokens', () =>
      Math.round(pool.usage * kvTokens),
    );
    this.register(
      'gauge',
      'max_total_num_tokens',
      'Maximum total number of tokens',
      () => kvTokens,
    );
    this.register('gauge', 'cache_hit_rate', 'The prefix cache hit rate', hitRate);
    for (const [name, help, key] of TOTALS) {
      this.register('counter', name, help, (model) => scheduler.totals(model)[key]);
    }
  }
}
