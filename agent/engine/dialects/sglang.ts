/** SGLang (docs/engines.md). It reports the options that it was started with. */
import { z } from 'zod';
import { countWith } from '../tokenize.ts';
import type { Dialect, Look, Self } from './dialect.ts';
import { textLength } from './text-length.ts';
import { VersionText } from './version.ts';

const Tokens = z.int().positive();

/**
 * Every field but `tokenizer_path`, which identifies SGLang, is optional: versions differ in where
 * they report it.
 */
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
/** This endpoint needs no admin rights, and is enough to identify the engine. */
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
  // Null means that the option was not given. Older versions do not report the field at all.
  if (info.tool_call_parser === null) {
    notes.push('--tool-call-parser is not set: tool calls arrive as plain text');
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

export const sglang: Dialect = {
  name: 'sglang',
  recognise,
  // Old versions do not send it. The first probe shows that.
  runningUsage: true,
  // Old versions ignore fields that they do not know, including the salt.
  salted: 'if shown',
  metrics: {
    running: ['sglang:num_running_reqs'],
    waiting: ['sglang:num_queue_reqs'],
    kvUse: ['sglang:token_usage'],
    prefixHitTokens: ['sglang:cached_tokens_total'],
    prefixQueryTokens: ['sglang:prompt_tokens_total'],
    prefixMissTokens: [],
    generatedTokens: ['sglang:generation_tokens_total'],
    kvTokens: ['sglang:max_total_num_tokens'],
    kvLabels: null,
  },
  control: (request) => ({
    stream_options: { include_usage: true, continuous_usage_stats: true },
    cache_salt: request.salt,
    rid: request.id,
    ...textLength(request),
  }),
  usageOf: (chunk) => chunk.usage,
  reportsLogprobs: true,
  countPrompt: (client, body, timeoutMs) => countWith('/tokenize', client, body, timeoutMs),
  reasoningField: 'reasoning_content',
  jsonFormat: { type: 'json_object' },
  abortPath: '/abort_request',
  // SGLang's own `reasoning` field is not used: it does not set `enable_thinking`, and turns
  // nothing off.
  thinking: { budget: false, switch: 'template', effort: 'body' },
  switches: {
    cachedTokens: '--enable-cache-report',
    metrics: '--enable-metrics',
    reasoning: '--reasoning-parser',
    images: null,
    // Without a parser, nothing is refused: calls arrive as text. `recognise` notes that.
    tools: null,
  },
  probed: true,
};
