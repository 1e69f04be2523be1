/** Encodes usage as SGLang does: top-level reasoning tokens; cached tokens if enabled and not 0. */
import type { SimOptions } from '../options.ts';
import { type Figures, objectOf } from '../wire/figures.ts';
import type { Job } from '../wire/job.ts';
import type { UsageEncoder } from '../wire/usage-encoder.ts';

export function sglangUsageEncoder({ sampling }: Job, options: SimOptions): UsageEncoder {
  const usage = (figures: Figures, cached: number | null): string =>
    `,"usage":${objectOf([
      ['prompt_tokens', figures.prompt],
      ['total_tokens', figures.total],
      ['completion_tokens', figures.completion],
      ['prompt_tokens_details', cached ? objectOf([['cached_tokens', cached]]) : 'null'],
      ['reasoning_tokens', figures.reasoning],
    ])}`;
  return {
    running: (figures) => (sampling.continuousUsage ? usage(figures, null) : ''),
    ending: (figures) => (sampling.continuousUsage ? usage(figures, null) : ''),
    last: (figures) => usage(figures, options.enableCacheReport ? figures.cached : null),
  };
}
