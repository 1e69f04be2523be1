/** vLLM (docs/engines.md). */
import { z } from 'zod';
import { countWith } from '../tokenize.ts';
import type { Dialect } from './dialect.ts';
import { textLength } from './text-length.ts';
import { VersionText } from './version.ts';

const Version = z.object({ version: VersionText });

export const vllm: Dialect = {
  name: 'vllm',
  async recognise(look) {
    const is = Version.safeParse(await look('/version'));
    if (!is.success) return null;
    return { version: is.data.version, kvTokens: null, reportsCached: null, notes: [] };
  },
  runningUsage: true,
  salted: true,
  metrics: {
    running: ['vllm:num_requests_running'],
    waiting: ['vllm:num_requests_waiting'],
    kvUse: ['vllm:kv_cache_usage_perc', 'vllm:gpu_cache_usage_perc'],
    prefixHitTokens: ['vllm:prefix_cache_hits_total', 'vllm:prefix_cache_hits'],
    prefixQueryTokens: ['vllm:prefix_cache_queries_total', 'vllm:prefix_cache_queries'],
    prefixMissTokens: [],
    generatedTokens: ['vllm:generation_tokens_total', 'vllm:generation_tokens'],
    kvTokens: [],
    kvLabels: {
      name: 'vllm:cache_config_info',
      blocks: 'num_gpu_blocks',
      blockTokens: 'block_size',
    },
  },
  control: (request) => ({
    stream_options: { include_usage: true, continuous_usage_stats: true },
    cache_salt: request.salt,
    ...textLength(request),
  }),
  usageOf: (chunk) => chunk.usage,
  reportsLogprobs: true,
  countPrompt: (client, body, timeoutMs) => countWith('/tokenize', client, body, timeoutMs),
  reasoningField: 'reasoning',
  jsonFormat: { type: 'json_object' },
  abortPath: null,
  thinking: { budget: true, switch: 'template', effort: 'body' },
  switches: {
    cachedTokens: '--enable-prompt-tokens-details',
    metrics: null,
    reasoning: '--reasoning-parser',
    images: null,
    tools: '--enable-auto-tool-choice --tool-call-parser',
  },
  probed: true,
};
