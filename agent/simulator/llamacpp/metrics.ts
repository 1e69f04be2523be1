/** /metrics under llama.cpp's own names, which have no labels. Served with `--metrics` only. */
import type { Scheduler } from '../scheduler.ts';
import type { Totals } from '../sequence.ts';
import { MetricsPage } from '../wire/metrics-page.ts';

export class LlamaPage extends MetricsPage {
  constructor(scheduler: Scheduler, models: readonly string[]) {
    super({ prefix: 'llamacpp', models: ['all of them'], labelsOf: () => ({}) });
    const { running, waiting } = scheduler;
    const sum = (key: keyof Totals) =>
      models.reduce((total, model) => total + scheduler.totals(model)[key], 0);
    // A prompt's hits are counted before its tokens are.
    const processed = () => Math.max(0, sum('promptTokens') - sum('cacheHits'));
    const predicted = () => sum('generationTokens');
    this.register(
      'counter',
      'prompt_tokens_total',
      'Number of prompt tokens processed.',
      processed,
    );
    this.register(
      'counter',
      'prompt_tokens_cached_total',
      'Number of prompt tokens reused from the cache.',
      () => sum('cacheHits'),
    );
    this.register(
      'counter',
      'tokens_predicted_total',
      'Number of generation tokens processed.',
      predicted,
    );
    this.register(
      'gauge',
      'requests_processing',
      'Number of requests processing.',
      () => running.size,
    );
    this.register('gauge', 'requests_deferred', 'Number of requests deferred.', () => waiting.size);
  }

  override get contentType(): string {
    return 'text/plain; version=0.0.4';
  }
}
