/**
 * Encodes counts as llama.cpp does: `usage` if the request enables it, and `timings` on the last
 * event in any case. The times are those that the request would take alone.
 */
import { type Figures, objectOf } from '../wire/figures.ts';
import type { Job } from '../wire/job.ts';
import type { UsageEncoder, UsageEncoderFlags } from '../wire/usage-encoder.ts';

export function llamaUsageEncoder({ sampling }: Job, flags: UsageEncoderFlags): UsageEncoder {
  const running = (figures: Figures) => (sampling.timingsPerToken ? timings(figures, flags) : '');
  return {
    running,
    ending: (figures) =>
      sampling.stream && sampling.includeUsage ? running(figures) : timings(figures, flags),
    last: (figures) => usage(figures) + timings(figures, flags),
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

function timings({ prompt, cached, completion }: Figures, flags: UsageEncoderFlags): string {
  const evaluated = (prompt ?? 0) - (cached ?? 0);
  const promptMs = (evaluated * flags.prefillUs) / 1000;
  const predictedMs = (completion ?? 0) * flags.tokenMs;
  return `,"timings":${objectOf([
    ['cache_n', cached],
    ['prompt_n', evaluated],
    ['prompt_ms', promptMs],
    ['prompt_per_token_ms', flags.prefillUs / 1000],
    ['prompt_per_second', promptMs === 0 ? 0 : (evaluated / promptMs) * 1000],
    ['predicted_n', completion],
    ['predicted_ms', predictedMs],
    ['predicted_per_token_ms', flags.tokenMs],
    ['predicted_per_second', predictedMs === 0 ? 0 : ((completion ?? 0) / predictedMs) * 1000],
  ])}`;
}
