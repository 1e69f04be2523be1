/** Any other engine that speaks the OpenAI protocol. */
import type { Dialect } from './dialect.ts';

export const openai: Dialect = {
  name: 'openai',
  // Matches every engine: `identify` uses this dialect when no other one matches.
  recognise: async () => ({ version: null, kvTokens: null, reportsCached: null, notes: [] }),
  runningUsage: false,
  salted: false,
  metrics: null,
  control: () => ({ stream_options: { include_usage: true } }),
  usageOf: (chunk) => chunk.usage,
  reportsLogprobs: false,
  countPrompt: null,
  // The name that chat templates use.
  reasoningField: 'reasoning_content',
  jsonFormat: { type: 'json_object' },
  abortPath: null,
  thinking: { budget: false, switch: 'template', effort: 'body' },
  switches: { cachedTokens: null, metrics: null, reasoning: null, images: null, tools: null },
  probed: true,
};
