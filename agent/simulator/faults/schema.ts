/** The faults that can be switched on while the simulator runs, as `PUT /sim/faults` takes them. */
import { z } from 'zod';

/** Which requests a fault hits, and when. */
const aim = {
  /** How many tokens of the answer go out before it. */
  after_tokens: z.int().nonnegative().default(1),
  /** How likely a request is hit. */
  probability: z.number().min(0).max(1).default(1),
  /** How many requests are hit in all; any number when absent. */
  count: z.int().positive().optional(),
  /** Hits only requests for this model, by the engine's name for it. */
  model: z.string().optional(),
};

const plain = z.strictObject(aim);

/** A figure to report instead of the right one: a number, a multiple of it, NaN, or none at all. */
const figure = z.union([
  z.number(),
  z.enum(['nan', 'missing']),
  z.strictObject({ factor: z.number() }),
]);
export type WrongFigure = z.infer<typeof figure>;

export const FaultConfig = z.strictObject({
  /** An error event, then [DONE]: how vLLM reports a dead engine mid-stream. */
  error_event: plain.optional(),
  /** The response ends in good order, but without finish_reason and [DONE]. */
  eof: plain.optional(),
  /** The connection is reset. */
  reset: plain.optional(),
  /** No more tokens come; the connection stays. */
  stall: plain.optional(),
  /** Each token takes so much longer. */
  slow_drip: z.strictObject({ ...aim, ms: z.number().positive().default(50) }).optional(),
  /** A multi-byte character is split across two writes; one is added if the text has none. */
  split_utf8: plain.optional(),
  /** One more delta, of so many bytes. */
  giant_chunk: z
    .strictObject({
      ...aim,
      bytes: z
        .int()
        .positive()
        .default(1 << 20),
    })
    .optional(),
  /** The engine's process dies: bare EOF on every stream, then 503 on everything. */
  death: z.strictObject({ ...aim, for_ms: z.number().positive().optional() }).optional(),
  wrong_usage: z
    .strictObject({
      ...aim,
      prompt_tokens: figure.optional(),
      completion_tokens: figure.optional(),
      cached_tokens: figure.optional(),
      reasoning_tokens: figure.optional(),
    })
    .optional(),
  /** No usage at all, though it was asked for. */
  no_usage: plain.optional(),
  /** The request is refused with this status. */
  http_500: plain.optional(),
  http_503: plain.optional(),
  /** The request is taken and never answered, not even with headers. */
  hang_before_first: plain.optional(),
  /** [DONE] without a finish_reason before it. */
  no_finish: plain.optional(),
  /** An event that is no JSON, among good ones. */
  bad_json: plain.optional(),
  /** The finish chunk carries the last text. */
  content_on_finish: plain.optional(),
  /** An SSE comment before every chunk. */
  comments: plain.optional(),
});
export type FaultConfig = z.infer<typeof FaultConfig>;
export type FaultKind = keyof FaultConfig;
