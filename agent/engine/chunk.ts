/** What an engine's event holds, as far as anyone can know before looking: everything is unknown. */

export type EngineChunk = {
  /** `error` in an error without a shell around it. */
  object?: unknown;
  error?: unknown;
  message?: unknown;
  code?: unknown;
  choices?: EngineChoice[] | null;
  usage?: EngineUsage | null;
  /** llama.cpp's counts: tokens found in the cache, tokens evaluated, tokens written. */
  timings?: { cache_n?: unknown; prompt_n?: unknown; predicted_n?: unknown } | null;
};

export type EngineChoice = {
  delta?: EngineDelta | null;
  text?: unknown;
  finish_reason?: unknown;
};

export type EngineDelta = {
  content?: unknown;
  reasoning?: unknown;
  /** What `reasoning` was called before. */
  reasoning_content?: unknown;
  tool_calls?: unknown;
};

export type EngineUsage = {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  prompt_tokens_details?: { cached_tokens?: unknown } | null;
  completion_tokens_details?: { reasoning_tokens?: unknown } | null;
  /** Where SGLang puts it. */
  reasoning_tokens?: unknown;
};

const U32_MAX = 0xffff_ffff;

/** A count that fits a record's header; null for anything else. */
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

/** Whether a choice has nothing for anybody: no text, no call, no end. */
export function isEmpty({ delta, text: written, finish_reason: finish }: EngineChoice): boolean {
  if (typeof finish === 'string' || text(written) !== '') return false;
  return !delta || (text(delta.content) === '' && reasoningOf(delta) === '' && !delta.tool_calls);
}

/** An event's data; null for what is no object. */
export function parseChunk(data: string): EngineChunk | null {
  try {
    const chunk: EngineChunk | null = JSON.parse(data);
    return typeof chunk === 'object' ? chunk : null;
  } catch {
    return null;
  }
}
