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
  choices?: EngineChoice[] | null;
  usage?: EngineUsage | null;
  /** llama.cpp's counts: prompt tokens found in the cache, evaluated, and tokens generated. */
  timings?: { cache_n?: unknown; prompt_n?: unknown; predicted_n?: unknown } | null;
};

export type EngineChoice = {
  delta?: EngineDelta | null;
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
  prompt_tokens_details?: { cached_tokens?: unknown } | null;
  completion_tokens_details?: { reasoning_tokens?: unknown } | null;
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
