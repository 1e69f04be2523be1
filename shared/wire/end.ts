/** How an attempt ended: the JSON of an END record, which has the counts of the answer before it. */
import { z } from 'zod';
import { STOP_SEQUENCE_CHARS_MAX } from './deltas.ts';

export const End = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('finished'),
    /** `tool_calls` only after a call. */
    finish: z.enum(['stop', 'length', 'tool_calls']),
    /** Whether the agent ended the answer at its last grant, before cached tokens were reported. */
    cut: z.boolean(),
    /** Null when the engine did not report it. */
    cached: z.number().nullable(),
    reasoning: z.number().nullable(),
    /** The stop sequence that ended the answer, if the engine reported one that is not too long. */
    stopSequence: z.string().max(STOP_SEQUENCE_CHARS_MAX).optional(),
  }),
  z.object({
    outcome: z.literal('failed'),
    /**
     * `context_length`, `bad_request`: the engine refuses the request itself, so no other worker is
     * tried. `busy`: the engine accepts nothing at the moment. `engine_died`: the engine's process
     * ended, or stopped working, during this request. `engine`: anything else.
     */
    reason: z.enum(['context_length', 'bad_request', 'busy', 'engine_died', 'engine']),
    /** The engine's context, if it is too short and shorter than the catalog's: another may do. */
    contextLength: z.int().positive().optional(),
  }),
  z.object({
    outcome: z.literal('cancelled'),
    /** Whether the engine had accepted the request. If not, nothing is charged. */
    accepted: z.boolean(),
  }),
]);
export type End = z.infer<typeof End>;
export type Finished = Extract<End, { outcome: 'finished' }>;
export type Failed = Extract<End, { outcome: 'failed' }>;
