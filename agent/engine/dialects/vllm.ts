/** vLLM (ENGINES §1). */
import type { Open } from '../../../shared/wire/messages.ts';
import type { Dialect } from './dialect.ts';

export const vllm: Dialect = {
  name: 'vllm',
  runningUsage: true,
  salted: true,
  metrics: {
    running: ['vllm:num_requests_running'],
    waiting: ['vllm:num_requests_waiting'],
    kvUse: ['vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc'],
    prefixHitTokens: ['vllm:prefix_cache_hits_total', 'vllm:prefix_cache_hits'],
    prefixQueryTokens: ['vllm:prefix_cache_queries_total', 'vllm:prefix_cache_queries'],
  },
  control: (open: Open) => ({
    stream_options: { include_usage: true, continuous_usage_stats: true },
    cache_salt: open.salt,
    // vLLM's text completions stop at 16 tokens by default; null is "as many as fit".
    ...(open.maxTokens === null && open.endpoint === 'completions' && { max_tokens: null }),
  }),
  tokenizePath: '/tokenize',
};
