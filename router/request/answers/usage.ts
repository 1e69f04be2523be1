/** The `usage` object of an answer: exactly what was charged. */
import { formatUsd, type PicoUsd } from '../../../shared/money.ts';

export type ShownUsage = Readonly<{
  promptTokens: number;
  completionTokens: number;
  /** Null when the engine does not report cached tokens. */
  cachedTokens: number | null;
  reasoningTokens: number | null;
  /** Null when the client did not ask for it. */
  cost: PicoUsd | null;
}>;

export function usageJson(usage: ShownUsage): string {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens, cost } = usage;
  const counts = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedTokens !== null && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== null && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  };
  return withCost(counts, cost);
}

/** Serializes a usage object. The cost is a JSON number with all its decimals: USD, not rounded. */
export function withCost(counts: object, cost: PicoUsd | null): string {
  const json = JSON.stringify(counts);
  return cost === null ? json : `${json.slice(0, -1)},"cost":${formatUsd(cost)}}`;
}
