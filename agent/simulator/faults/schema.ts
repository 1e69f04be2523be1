/**
 * The faults that can be switched on while the simulator runs. `PUT /sim/faults` takes an object
 * with one member for each fault: `{"stall": {"after_tokens": 3, "count": 1}}`. A DELETE there ends
 * them all. Some examples:
 *
 *   a poison prompt, on which the process exits
 *     {"death": {"containing": "xyzzy", "after_tokens": 0, "exit": true}}
 *   the same, in the middle of the answer
 *     {"death": {"containing": "xyzzy", "after_tokens": 5, "exit": true}}
 *   generation hangs, and /health answers 200
 *     {"stall": {"after_tokens": 0}}
 *   no response, not even headers
 *     {"hang_before_first": {}}
 *   twice the completion tokens in the usage
 *     {"wrong_usage": {"after_tokens": 0, "completion_tokens": {"factor": 2}}}
 *   a request that runs on when its client has left
 *     {"zombie": {}}
 *
 * An engine that is restarted has no faults. `penstock sim --poison TEXT` sets the first of these
 * examples from the start.
 */
import { z } from 'zod';

/** Which requests a fault hits, and when. */
const aim = {
  /** How many tokens of the answer are sent before the fault. */
  after_tokens: z.int().nonnegative().default(1),
  /** The probability that a request is hit. */
  probability: z.number().min(0).max(1).default(1),
  /** How many requests are hit in total. Any number when absent. */
  count: z.int().positive().optional(),
  /** Hits only requests whose messages or prompt contain this text. */
  containing: z.string().min(1).optional(),
  /** Hits only requests for this model, by the engine's name for it. */
  model: z.string().optional(),
};

/** Returns the schema of a fault, with the fields that only this one has. */
function fault<Own extends z.ZodRawShape>(own: Own) {
  return z.strictObject({ ...aim, ...own });
}

const plain = fault({});

/** A figure to report: a number, a multiple of the right one, NaN, or none at all. */
const figure = z.union([
  z.number(),
  z.enum(['nan', 'missing']),
  z.strictObject({ factor: z.number() }),
]);
export type WrongFigure = z.infer<typeof figure>;

export const FaultConfig = z
  .strictObject({
    /** An error event, then [DONE]: how vLLM reports a dead engine mid-stream. */
    error_event: plain,
    /** The response ends regularly, but without finish_reason and [DONE]. */
    eof: plain,
    /** The connection is reset. */
    reset: plain,
    /** No more tokens come, but the connection stays open. */
    stall: plain,
    /** Each token takes `ms` longer. */
    slow_drip: fault({ ms: z.number().positive().default(50) }),
    /** A multi-byte character is split across two writes; one is added if the text has none. */
    split_utf8: plain,
    /** One more delta, of `bytes` bytes. */
    giant_chunk: fault({
      bytes: z
        .int()
        .positive()
        .default(1 << 20),
    }),
    /**
     * The engine dies: every stream ends with a bare EOF, and then every request gets a 503, for
     * `for_ms` or until the faults change. With `exit` its process really ends.
     */
    death: fault({
      for_ms: z.number().positive().optional(),
      exit: z.boolean().default(false),
    }),
    wrong_usage: fault({
      prompt_tokens: figure.optional(),
      completion_tokens: figure.optional(),
      cached_tokens: figure.optional(),
      reasoning_tokens: figure.optional(),
    }),
    /** No usage at all, though the request enables it. */
    no_usage: plain,
    /** The request is refused with this status. */
    http_500: plain,
    http_503: plain,
    /**
     * The request itself makes the engine raise: a 500 with this message, and the engine continues.
     * The default is vLLM's message for a lone surrogate.
     */
    request_500: fault({
      message: z
        .string()
        .min(1)
        .default(
          "'utf-8' codec can't encode character '\\ud83d' in position 0: surrogates not allowed",
        ),
    }),
    /** The queue of the engine is full: a 429, and the engine continues. */
    http_429: plain,
    /** The request runs on after its client has disconnected. */
    zombie: plain,
    /** The request is accepted and never answered, not even with headers. */
    hang_before_first: plain,
    /** [DONE] without a finish_reason before it. */
    no_finish: plain,
    /** An event that is not JSON, among good ones. */
    bad_json: plain,
    /** The finish chunk carries the last text. */
    content_on_finish: plain,
    /** An SSE comment before every chunk. */
    comments: plain,
  })
  .partial();
export type FaultConfig = z.infer<typeof FaultConfig>;
export type FaultKind = keyof FaultConfig;
