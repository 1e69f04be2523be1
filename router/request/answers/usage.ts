/** The `usage` object of an answer: exactly what was charged. */

export type ShownUsage = Readonly<{
  promptTokens: number;
  completionTokens: number;
  /** Null when the engine does not report cached tokens. */
  cachedTokens: number | null;
  reasoningTokens: number | null;
}>;

export function usageJson(usage: ShownUsage): string {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = usage;
  return JSON.stringify({
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedTokens !== null && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== null && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  });
}
