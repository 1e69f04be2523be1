/** How an attempt ended: the JSON of an END record, which has the counts of the answer before it. */
import { z } from 'zod';

/** The most bytes of an `End` in JSON. */
export const END_BYTES_MAX = 1_024;
/**
 * The longest stop sequence that an `End` names. In JSON, 128 characters take at most 768 bytes, so
 * that an `End` fits in `END_BYTES_MAX`.
 */
export const STOP_SEQUENCE_CHARS_MAX = 128;

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
     * `context_length`, `bad_request`: the engine refuses the request itself. No other worker is
     * tried, except after a `context_length` with `contextLength`. `busy`: the engine accepts nothing
     * at the moment. `engine_died`: the engine's process ended, or stopped working, during this
     * request. `engine`: anything else.
     */
    reason: z.enum(['context_length', 'bad_request', 'busy', 'engine_died', 'engine']),
    /**
     * The context of the engine, if it is shorter than the catalog's. The router then tries another
     * worker.
     */
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
