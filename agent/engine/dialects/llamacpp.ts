/**
 * llama.cpp's server (docs/engines.md). It reports counts as `timings` with each chunk. Its caches
 * belong to slots and have no salt, so a prompt may hit the cache of another organization.
 */
import { z } from 'zod';
import type { EngineChunk, EngineUsage } from '../chunk.ts';
import { count } from '../chunk.ts';
import { countRendered } from '../tokenize.ts';
import type { Dialect } from './dialect.ts';
import { VersionText } from './version.ts';

const Props = z.object({
  default_generation_settings: z.object({ n_ctx: z.int().positive().nullish().catch(null) }),
  total_slots: z.int().positive(),
  build_info: VersionText.nullish().catch(null),
  // There is no vision without a projector.
  modalities: z.object({ vision: z.boolean() }).nullish().catch(null),
});

/**
 * Hot path. Returns the counts of a chunk. If `usage` has no details, the cached tokens come from
 * `timings`.
 */
function usageOf({ usage, timings }: EngineChunk): EngineUsage | null | undefined {
  const cached = count(timings?.cache_n);
  if (usage) {
    if (cached === null || usage.prompt_tokens_details) return usage;
    return { ...usage, prompt_tokens_details: { cached_tokens: cached } };
  }
  const evaluated = count(timings?.prompt_n);
  // Builds without `cache_n` report only how much of a prompt was evaluated, not its length.
  if (cached === null || evaluated === null) return null;
  return {
    prompt_tokens: cached + evaluated,
    completion_tokens: timings?.predicted_n,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

/** The number of slots that the server has if it was started without `--parallel`. */
const SLOTS_DEFAULT = 4;

/**
 * Returns notes on the KV cache. Without `--parallel`, all slots share one cache, and the server
 * does not report that. When the cache is full, the server ends the answers that are running.
 */
function slotNotes(slots: number, slotTokens: number | null): string[] {
  if (slots !== SLOTS_DEFAULT || slotTokens === null) return [];
  return [
    `it has ${slots} slots, as without --parallel: in that case they share one KV cache of ` +
      `${slotTokens} tokens, and long answers that fill it together are cut off and free. ` +
      'Set --parallel: each slot then has a part of its own',
  ];
}

export const llamacpp: Dialect = {
  name: 'llamacpp',
  async recognise(look) {
    const is = Props.safeParse(await look('/props'));
    if (!is.success) return null;
    const { default_generation_settings: each, total_slots: slots, build_info: build } = is.data;
    const { modalities } = is.data;
    const slotTokens = each.n_ctx ?? null;
    return {
      version: build ?? null,
      // The context of one slot is the whole cache if the slots share it, and a part of it
      // otherwise. The server does not report which. More than the engine has would overfill it.
      kvTokens: slotTokens,
      reportsCached: null,
      refusesImages: modalities?.vision === false,
      notes: slotNotes(slots, slotTokens),
    };
  },
  runningUsage: true,
  salted: false,
  metrics: {
    running: ['llamacpp:requests_processing'],
    waiting: ['llamacpp:requests_deferred'],
    // Newer builds have no such metric.
    kvUse: ['llamacpp:kv_cache_usage_ratio'],
    // Builds from before this counter report no prefix cache statistics.
    prefixHitTokens: ['llamacpp:prompt_tokens_cached_total'],
    prefixQueryTokens: [],
    prefixMissTokens: ['llamacpp:prompt_tokens_total'],
    generatedTokens: ['llamacpp:tokens_predicted_total'],
    kvTokens: [],
    kvLabels: null,
  },
  control: () => ({ stream_options: { include_usage: true }, timings_per_token: true }),
  usageOf,
  reportsLogprobs: true,
  countPrompt: countRendered,
  reasoningField: 'reasoning_content',
  // Without a schema, builds such as b10434 write any text.
  jsonFormat: { type: 'json_object', schema: { type: 'object' } },
  abortPath: null,
  thinking: { budget: false, switch: 'template', effort: 'template' },
  switches: {
    cachedTokens: null,
    metrics: '--metrics',
    reasoning: '--reasoning-format',
    images: '--mmproj',
    tools: null,
  },
  probed: true,
};
