/**
 * A server that speaks vLLM's protocol and is not vLLM itself, such as llm-d's simulator, or a proxy
 * before vLLM: it says that vLLM owns its models, and has no `/version`. Nothing that such a server
 * can do is taken for granted.
 */
import { z } from 'zod';
import type { Dialect } from './dialect.ts';
import { vllm } from './vllm.ts';

const VllmModels = z.object({
  data: z
    .array(z.object({ owned_by: z.literal('vllm') }))
    .nonempty()
    .max(4_096),
});

export const vllmLike: Dialect = {
  ...vllm,
  name: 'vllm-like',
  async recognise(look) {
    const list = VllmModels.safeParse(await look('/v1/models'));
    if (!list.success) return null;
    return { version: null, kvTokens: null, reportsCached: null, notes: [] };
  },
  salted: 'if shown',
  reportsLogprobs: false,
};
