/** Workers in the management API. */
import { z } from 'zod';
import { Region } from '../wire/messages.ts';
import { count, instant } from './fields.ts';
import { page } from './pages.ts';

export const WorkerDrain = z.strictObject({ id: z.string().min(1).max(512) });

export const WorkerEntry = z.object({
  /** `<agent id>/<engine name>` */
  id: z.string(),
  agent: z.string(),
  agent_name: z.string(),
  name: z.string(),
  region: Region,
  engine: z.string(),
  phase: z.enum(['joining', 'ready', 'draining', 'gone']),
  /** Whether it gets requests after failures, and how much of its slots it may fill: 0 to 1. */
  breaker: z.enum(['closed', 'open', 'probing', 'returning']),
  share: z.number(),
  models: z.array(z.string()),
  slots: count,
  /** As the engine reports them. */
  running: count,
  waiting: count,
  /** What this router has under way on it. */
  in_flight: count,
  kv_use: z.number(),
  prefix_hit_tokens: count,
  prefix_query_tokens: count,
  /** What did not fit of its figures, since this router started: reasons to look, no proofs. */
  alarms: z.array(z.object({ kind: z.string(), count, last: instant })),
  /** What this router has had from it since it joined. */
  completion_tokens: count,
  gpus: z.array(
    z.object({
      name: z.string(),
      memory_used_bytes: count,
      memory_total_bytes: count,
      /** 0 to 1. */
      use: z.number(),
    }),
  ),
  /** What its agent says of it. */
  notes: z.array(z.string()),
});
export type WorkerEntry = z.infer<typeof WorkerEntry>;
export const WorkerPage = page(WorkerEntry);
