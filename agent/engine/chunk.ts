/**
 * The shape of an engine's events. The fields are `unknown`, because nothing in an event has been
 * checked yet.
 */

export type EngineChunk = {
  /** `error` if the event is itself the error, without an `error` field around it. */
  object?: unknown;
  error?: unknown;
  message?: unknown;
  code?: unknown;
  choices?: EngineChoice[] | null | undefined;
  usage?: EngineUsage | null | undefined;
  /** llama.cpp's counts: prompt tokens found in the cache, evaluated, and tokens generated. */
  timings?: { cache_n?: unknown; prompt_n?: unknown; predicted_n?: unknown } | null | undefined;
};

export type EngineChoice = {
  delta?: EngineDelta | null | undefined;
  text?: unknown;
  logprobs?: unknown;
  finish_reason?: unknown;
  /** The stop sequence that ended the answer: vLLM's name, and SGLang's. A number is a token. */
  stop_reason?: unknown;
  matched_stop?: unknown;
};

export type EngineDelta = {
  content?: unknown;
  reasoning?: unknown;
  /** The older name of `reasoning`. */
  reasoning_content?: unknown;
  tool_calls?: unknown;
};

export type EngineUsage = {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  prompt_tokens_details?: { cached_tokens?: unknown } | null | undefined;
  completion_tokens_details?: { reasoning_tokens?: unknown } | null | undefined;
  /** SGLang reports its reasoning tokens here. */
  reasoning_tokens?: unknown;
};

const U32_MAX = 0xffff_ffff;

/**
 * Returns `value` if it is a count that fits a record's header (u32), and null for anything else.
 */
export function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= U32_MAX
    ? value
    : null;
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function reasoningOf(delta: EngineDelta): string {
  return text(delta.reasoning) || text(delta.reasoning_content);
}

/** Whether a choice has no text, no tool call and no finish reason. */
export function isEmpty({ delta, text: written, finish_reason: finish }: EngineChoice): boolean {
  if (typeof finish === 'string' || text(written) !== '') return false;
  return !delta || (text(delta.content) === '' && reasoningOf(delta) === '' && !delta.tool_calls);
}

/** Whether the answer ends with a choice. An event after the answer has no choice. */
export function endsAnswer(choice: EngineChoice | null): boolean {
  return choice === null || typeof choice.finish_reason === 'string';
}

/** Parses an event's data. Returns null when it is not a JSON object. */
export function parseChunk(data: string): EngineChunk | null {
  try {
    const chunk: EngineChunk | null = JSON.parse(data);
    return typeof chunk === 'object' ? chunk : null;
  } catch {
    return null;
  }
}

/**
 * Returns a chunk that has the named fields only, with `map` applied to their values, and the first
 * choice only.
 */
export function mapFields(chunk: EngineChunk, map: (value: unknown) => unknown): EngineChunk {
  const { choices, usage, timings } = chunk;
  return {
    object: map(chunk.object),
    error: map(chunk.error),
    message: map(chunk.message),
    code: map(chunk.code),
    choices: choices?.[0] && [mapChoice(choices[0], map)],
    usage: usage && mapUsage(usage, map),
    timings: timings && {
      cache_n: map(timings.cache_n),
      prompt_n: map(timings.prompt_n),
      predicted_n: map(timings.predicted_n),
    },
  } satisfies Required<EngineChunk>;
}

function mapChoice(choice: EngineChoice, map: (value: unknown) => unknown): EngineChoice {
  const { delta } = choice;
  return {
    delta: delta && {
      content: map(delta.content),
      reasoning: map(delta.reasoning),
      reasoning_content: map(delta.reasoning_content),
      tool_calls: map(delta.tool_calls),
    },
    text: map(choice.text),
    logprobs: map(choice.logprobs),
    finish_reason: map(choice.finish_reason),
    stop_reason: map(choice.stop_reason),
    matched_stop: map(choice.matched_stop),
  } satisfies Required<EngineChoice>;
}

function mapUsage(usage: EngineUsage, map: (value: unknown) => unknown): EngineUsage {
  const { prompt_tokens_details: details, completion_tokens_details: spent } = usage;
  return {
    prompt_tokens: map(usage.prompt_tokens),
    completion_tokens: map(usage.completion_tokens),
    prompt_tokens_details: details && { cached_tokens: map(details.cached_tokens) },
    completion_tokens_details: spent && { reasoning_tokens: map(spent.reasoning_tokens) },
    reasoning_tokens: map(usage.reasoning_tokens),
  } satisfies Required<EngineUsage>;
}
