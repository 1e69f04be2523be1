/**
 * The fields that both kinds of completion have, with vLLM's bounds. Other fields are ignored, as
 * the engines do.
 */
import { z } from 'zod';

export const samplingFields = {
  model: z.string().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z
    .object({
      include_usage: z.boolean().nullish(),
      continuous_usage_stats: z.boolean().nullish(),
    })
    .nullish(),
  stream_interval: z.int().positive().nullish(),
  max_tokens: z.int().min(1, 'max_tokens must be at least 1').nullish(),
  min_tokens: z.int().nonnegative().nullish(),
  ignore_eos: z.boolean().nullish(),
  stop: z.union([z.string().min(1), z.array(z.string().min(1))]).nullish(),
  include_stop_str_in_output: z.boolean().nullish(),
  seed: z.int().nullish(),
  n: z.literal(1, 'the simulator gives one choice only').nullish(),
  temperature: z.number().min(0).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  top_k: z.int().min(-1).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  repetition_penalty: z.number().gt(0).nullish(),
  cache_salt: z.string().nullish(),
  /** Fields of SGLang. */
  extra_key: z.string().nullish(),
  rid: z.string().min(1).nullish(),
  /** Fields of llama.cpp. */
  timings_per_token: z.boolean().nullish(),
  sse_ping_interval: z.number().max(86_400).nullish(),
};

export type SamplingFields = z.infer<z.ZodObject<typeof samplingFields>>;
