/** Any engine that speaks the common protocol and nothing else that we know of. */
import type { Dialect } from './dialect.ts';

export const openai: Dialect = {
  name: 'openai',
  runningUsage: false,
  salted: false,
  metrics: null,
  control: () => ({ stream_options: { include_usage: true } }),
  tokenizePath: null,
};
