/** Usage in the management API. */
import { z } from 'zod';
import { count, instant, usd } from './fields.ts';
import { page } from './pages.ts';

/** One request, as it ended. */
export const UsageEntry = z.object({
  request_id: z.string(),
  completion_id: z.string(),
  model: z.string(),
  key_id: z.string(),
  /** Kept when the key is deleted; null when it is not known. */
  key_name: z.string().nullable(),
  source: z.enum(['api', 'playground']),
  region: z.string(),
  worker: z.string().nullable(),
  prompt_tokens: count,
  cached_tokens: count,
  /** Whether the engine reported `cached_tokens` or the router predicted it. */
  cached_source: z.enum(['reported', 'predicted']),
  completion_tokens: count,
  reasoning_tokens: count,
  cost: usd,
  ttft_ms: count.nullable(),
  duration_ms: count,
  finish_reason: z.string().nullable(),
  /** The HTTP status; 499 where the client had left. */
  status: z.int(),
  error: z.string().nullable(),
  created: instant,
});
export type UsageEntry = z.infer<typeof UsageEntry>;
export const UsagePage = page(UsageEntry);
