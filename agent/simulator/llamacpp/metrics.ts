/** /metrics under llama.cpp's own names, which have no labels. Served with `--metrics` only. */
import type { Scheduler } from '../scheduler.ts';
import type { Totals } from '../sequence.ts';
import { MetricsPage, pageText, type Sample } from '../wire/metrics-page.ts';

export class LlamaPage extends MetricsPage {
  readonly contentType = 'text/plain; version=0.0.4';
  readonly #scheduler: Scheduler;
  readonly #models: readonly string[];

  constructor(scheduler: Scheduler, models: readonly string[]) {
    super();
    this.#scheduler = scheduler;
    this.#models = models;
  }

  override async text(): Promise<string> {
    const { running, waiting, pool } = this.#scheduler;
    const sum = (key: keyof Totals) =>
      this.#models.reduce((total, model) => total + this.#scheduler.totals(model)[key], 0);
    return pageText([
      sample(
        'counter',
        'prompt_tokens_total',
        'Number of prompt tokens processed.',
        sum('promptTokens') - sum('cacheHits'),
      ),
      sample(
        'counter',
        'tokens_predicted_total',
        'Number of generation tokens processed.',
        sum('generationTokens'),
      ),
      sample(
        'gauge',
        'kv_cache_usage_ratio',
        'KV-cache usage. 1 means 100 percent usage.',
        pool.usage,
      ),
      sample('gauge', 'requests_processing', 'Number of requests processing.', running.size),
      sample('gauge', 'requests_deferred', 'Number of requests deferred.', waiting.size),
    ]);
  }
}

function sample(type: Sample['type'], name: string, help: string, value: number): Sample {
  return { name: `llamacpp:${name}`, type, help, values: [{ value }] };
}
