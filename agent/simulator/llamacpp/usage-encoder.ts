/**
 * Encodes counts as llama.cpp does: `usage` if the request enables it, and `timings` on the last
 * event in any case. The times are those that the request would take alone.
 */
import type { SimOptions } from '../options.ts';
import { type Figures, objectOf } from '../wire/figures.ts';
import type { Job } from '../wire/job.ts';
import type { UsageEncoder } from '../wire/usage-encoder.ts';

export function llamaUsageEncoder({ sampling }: Job, options: SimOptions): UsageEncoder {
  const running = (figures: Figures) => (sampling.timingsPerToken ? timings(figures, options) : '');
  return {
    running,
    ending: (figures) =>
      sampling.stream && sampling.includeUsage ? running(figures) : timings(figures, options),
    last: (figures) => usage(figures) + timings(figures, options),
  };
}

function usage({ completion, prompt, total, cached }: Figures): string {
  return `,"usage":${objectOf([
    ['completion_tokens', completion],
    ['prompt_tokens', prompt],
    ['total_tokens', total],
    ['prompt_tokens_details', cached === null ? null : objectOf([['cached_tokens', cached]])],
  ])}`;
}

function timings(
  { prompt, cached, completion }: Figures,
  { prefillUs, tokenMs }: SimOptions,
): string {
  const evaluated = (prompt ?? 0) - (cached ?? 0);
  const promptMs = (evaluated * prefillUs) / 1000;
  const predictedMs = (completion ?? 0) * tokenMs;
  return `,"timings":${objectOf([
    ['cache_n', cached],
    ['prompt_n', evaluated],
    ['prompt_ms', promptMs],
    ['prompt_per_token_ms', prefillUs / 1000],
    ['prompt_per_second', promptMs === 0 ? 0 : (evaluated / promptMs) * 1000],
    ['predicted_n', completion],
    ['predicted_ms', predictedMs],
    ['predicted_per_token_ms', tokenMs],
    ['predicted_per_second', predictedMs === 0 ? 0 : ((completion ?? 0) / predictedMs) * 1000],
  ])}`;
}
