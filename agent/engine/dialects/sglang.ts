/** SGLang (ENGINES §3). It tells how it was started, so that nothing has to be tried out. */
import { z } from 'zod';
import { countWith } from '../tokenize.ts';
import type { Dialect, Look, Self } from './dialect.ts';
import { VersionText } from './version.ts';

const Tokens = z.int().positive();

/** Everything but what names the engine is optional: versions differ in where they say it. */
const ServerInfo = z.object({
  tokenizer_path: z.string(),
  version: VersionText.nullish().catch(null),
  max_total_num_tokens: Tokens.nullish().catch(null),
  internal_states: z
    .array(z.object({ max_total_num_tokens: Tokens.nullish().catch(null) }))
    .max(1_024)
    .nullish()
    .catch(null),
  enable_cache_report: z.boolean().nullish().catch(null),
  disable_radix_cache: z.boolean().nullish().catch(null),
  reasoning_parser: z.string().nullish().catch(undefined),
  tool_call_parser: z.string().nullish().catch(undefined),
});
/** What is there without the right to administer: enough to know the kind. */
const ModelInfo = z.object({ tokenizer_path: z.string(), is_generation: z.boolean() });

const INFO_PATHS = ['/server_info', '/get_server_info'] as const;
const MODEL_PATHS = ['/model_info', '/get_model_info'] as const;

async function recognise(look: Look): Promise<Self | null> {
  for (const path of INFO_PATHS) {
    const info = ServerInfo.safeParse(await look(path));
    if (info.success) return selfOf(info.data);
  }
  for (const path of MODEL_PATHS) {
    if (ModelInfo.safeParse(await look(path)).success) {
      return { version: null, kvTokens: null, reportsCached: null, notes: [] };
    }
  }
  return null;
}

function selfOf(info: z.infer<typeof ServerInfo>): Self {
  const replicas = (info.internal_states ?? []).map((state) => state.max_total_num_tokens ?? 0);
  const notes: string[] = [];
  // Null is "not given"; an older version does not speak of it at all.
  if (info.tool_call_parser === null) {
    notes.push('--tool-call-parser is not set: calls of tools come as plain text');
  }
  if (info.disable_radix_cache)
    notes.push('--disable-radix-cache is set: no prefix is ever cached');
  return {
    version: info.version ?? null,
    kvTokens: info.max_total_num_tokens ?? (replicas.reduce((a, b) => a + b, 0) || null),
    reportsCached: info.enable_cache_report ?? null,
    notes,
  };
}

/** What is left of the context in any case: a token is at least a byte of the request. */
const LEAST_LEFT_TOKENS = 1_024;

export const sglang: Dialect = {
  name: 'sglang',
  recognise,
  // Old versions leave it out; the first token that is asked of it shows that.
  runningUsage: true,
  // Old versions ignore what they do not know, a salt too.
  salted: 'if shown',
  metrics: {
    running: ['sglang:num_running_reqs'],
    waiting: ['sglang:num_queue_reqs'],
    kvUse: ['sglang:token_usage'],
    prefixHitTokens: ['sglang:cached_tokens_total'],
    prefixQueryTokens: ['sglang:prompt_tokens_total'],
    generatedTokens: ['sglang:generation_tokens_total'],
    kvTokens: ['sglang:max_total_num_tokens'],
    kvLabels: null,
  },
  control: ({ salt, id, maxTokens, endpoint, contextLength, bodyBytes }) => ({
    stream_options: { include_usage: true, continuous_usage_stats: true },
    cache_salt: salt,
    rid: id,
    // Its text completions stop at 16 tokens by default, and it refuses a length that does not fit.
    ...(maxTokens === null &&
      endpoint === 'completions' && {
        max_tokens: Math.max(LEAST_LEFT_TOKENS, contextLength - bodyBytes),
      }),
  }),
  usageOf: (chunk) => chunk.usage,
  countPrompt: (asking, body) => countWith('/tokenize', asking, body),
  abortPath: '/abort_request',
  // Its own `reasoning` is not used: it sets no `enable_thinking`, and turns nothing off.
  thinking: { budget: false, effort: 'body' },
  switches: {
    cachedTokens: '--enable-cache-report',
    metrics: '--enable-metrics',
    reasoning: '--reasoning-parser',
  },
  probed: true,
};
