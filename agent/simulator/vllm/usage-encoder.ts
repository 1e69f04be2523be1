/** Encodes usage as vLLM does. */
import type { SimOptions } from '../options.ts';
import { type Figures, objectOf } from '../wire/figures.ts';
import type { Job } from '../wire/job.ts';
import type { UsageEncoder } from '../wire/usage-encoder.ts';

export function vllmUsageEncoder({ model, sampling }: Job, options: SimOptions): UsageEncoder {
  // Only models with a reasoning parser report reasoning tokens.
  const thinks = model.thinking !== null;
  const usage = (figures: Figures, cached: number | null): string =>
    `,"usage":${objectOf([
      ['prompt_tokens', figures.prompt],
      ['total_tokens', figures.total],
      ['completion_tokens', figures.completion],
      ['prompt_tokens_details', cached === null ? null : objectOf([['cached_tokens', cached]])],
      [
        'completion_tokens_details',
        thinks && figures.reasoning !== null
          ? objectOf([['reasoning_tokens', figures.reasoning]])
          : null,
      ],
    ])}`;
  // Only the last usage of an answer has cached tokens.
  const running = (figures: Figures) => (sampling.continuousUsage ? usage(figures, null) : '');
  return {
    running,
    ending: running,
    last: (figures) => usage(figures, options.promptTokensDetails ? figures.cached : null),
  };
}
