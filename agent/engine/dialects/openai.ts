/** Any engine that speaks the common protocol and nothing else that we know of. */
import type { Dialect } from './dialect.ts';

export const openai: Dialect = {
  name: 'openai',
  // The last one asked: whatever is left is of this kind.
  recognise: async () => ({ version: null, kvTokens: null, reportsCached: null, notes: [] }),
  runningUsage: false,
  salted: false,
  metrics: null,
  control: () => ({ stream_options: { include_usage: true } }),
  usageOf: (chunk) => chunk.usage,
  countPrompt: null,
  abortPath: null,
  thinking: { budget: false, effort: 'body' },
  switches: { cachedTokens: null, metrics: null, reasoning: null },
  probed: true,
};
