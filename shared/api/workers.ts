/** Workers in the management API. */
import { z } from 'zod';
import { Region } from '../region-schema.ts';
import { DrainReason } from './agents.ts';
import { count, instant } from './fields.ts';
import { page } from './pages.ts';

const WorkerId = z.string().min(1).max(512);
export const WorkerDrain = z.strictObject({ id: WorkerId, reason: DrainReason });
export const WorkerUndrain = z.strictObject({ id: WorkerId });

export const WorkerEntry = z.object({
  /** `<agent id>/<engine name>` */
  id: z.string(),
  agent: z.string(),
  agent_name: z.string(),
  /** The version of Penstock that the agent runs. Routers of version 0.1.0 do not report it. */
  agent_version: z.string().optional(),
  name: z.string(),
  region: Region,
  engine: z.string(),
  phase: z.enum(['joining', 'ready', 'draining', 'gone']),
  /**
   * The state of the worker's circuit breaker, and the share of its slots that it may fill: 0 to 1.
   */
  breaker: z.enum(['closed', 'open', 'probing', 'returning']),
  share: z.number(),
  models: z.array(z.string()),
  engine_found: z
    .boolean()
    .optional()
    .describe(
      'Whether its agent has found its engine since the agent was started. Absent when a router of an earlier version answers.',
    ),
  last_ready: z
    .object({ at: instant, models: z.array(z.string()) })
    .nullish()
    .describe(
      'When the worker was ready last, and the models that it served then. Null while it is ready, and if it has not been ready since its agent connected to this router. Absent when a router of an earlier version answers.',
    ),
  slots: count,
  /** Requests that run and wait, as the engine reports them. */
  running: count,
  waiting: count,
  /** Requests that this router has in flight on the worker. */
  in_flight: count,
  kv_use: z.number(),
  prefix_hit_tokens: count,
  prefix_query_tokens: count,
  /** Implausible figures since this router started: reasons to investigate, not proofs. */
  alarms: z.array(z.object({ kind: z.string(), count, last: instant })),
  /** Completion tokens that this router has received from the worker since it joined. */
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
  /** Notes from the worker's agent. */
  notes: z.array(z.string()),
});
export type WorkerEntry = z.infer<typeof WorkerEntry>;
export const WorkerPage = page(WorkerEntry);
