/** The sampling settings of a request, for both kinds of completion. */
import type { Length } from '../answer/plan.ts';
import type { ServedModel } from '../models.ts';
import { badRequest, ContextError } from './errors.ts';
import type { RequestRules } from './rules.ts';
import type { SamplingFields } from './sampling-fields.ts';

/** The fields of a request, as the rest of the simulator sees them. */
export interface Sampling {
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly continuousUsage: boolean;
  /** Tokens per chunk. The first chunk holds one. Null: the engine's own setting. */
  readonly interval: number | null;
  readonly stops: readonly string[];
  readonly includeStop: boolean;
  readonly salt: string | null;
  readonly requestId: string | null;
  readonly timingsPerToken: boolean;
  /** Seconds of silence before a comment. Negative: no comments. Null: the engine's default. */
  readonly pingSeconds: number | null;
  readonly seed: number | null;
  /** How many alternatives to each token get their log probability. Null: no token gets one. */
  readonly logprobs: number | null;
  readonly length: Length;
}

export function samplingOf(
  fields: SamplingFields,
  {
    model,
    rules,
    promptTokens,
    maxTokens,
    logprobs,
  }: {
    model: ServedModel;
    rules: RequestRules;
    promptTokens: number;
    maxTokens: number | null;
    logprobs: number | null;
  },
): Sampling {
  const options = fields.stream_options;
  if (rules.strict && options && !fields.stream) {
    throw badRequest('Stream options can only be defined when `stream=True`.', 'stream_options');
  }
  const room = model.contextTokens - promptTokens;
  const limit = rules.clampsLength ? Math.min(maxTokens ?? room, room) : (maxTokens ?? room);
  assertFits(model, promptTokens, rules.clampsLength ? 1 : (maxTokens ?? 1));
  const minTokens = fields.min_tokens ?? 0;
  if (minTokens > limit) {
    throw badRequest(
      `min_tokens must be less than or equal to max_tokens=${limit}, got ${minTokens}.`,
      'min_tokens',
    );
  }
  const stop = fields.stop ?? [];
  return {
    stream: fields.stream === true,
    includeUsage: options?.include_usage === true,
    // As in vLLM, running usage is only sent if the final usage is.
    continuousUsage: options?.include_usage === true && options.continuous_usage_stats === true,
    interval: fields.stream_interval ?? null,
    stops: typeof stop === 'string' ? [stop] : stop,
    includeStop: fields.include_stop_str_in_output === true,
    salt: rules.saltOf(fields),
    requestId: fields.rid ?? null,
    timingsPerToken: fields.timings_per_token === true,
    pingSeconds: fields.sse_ping_interval ?? null,
    seed: fields.seed ?? null,
    logprobs,
    length: { maxTokens: limit, minTokens, ignoreEos: fields.ignore_eos === true },
  };
}

/**
 * Throws ContextError if the tokens do not fit. The prompt is rendered before the stream begins, so
 * this is a plain 400 even for a request with a stream.
 */
function assertFits(model: ServedModel, promptTokens: number, outputTokens: number): void {
  const total = promptTokens + outputTokens;
  if (total <= model.contextTokens) return;
  throw new ContextError(
    `This model's maximum context length is ${model.contextTokens} tokens. However, you ` +
      `requested ${outputTokens} output tokens and your prompt contains at least ` +
      `${promptTokens} input tokens, for a total of at least ${total} tokens. Please reduce ` +
      'the length of the input prompt or the number of requested output tokens.',
    { promptTokens, contextTokens: model.contextTokens },
  );
}
