/** A request that was sent to a worker, as its forecast keeps it. */
import type { ModelForecast } from './prefill.ts';
import type { Ages } from './prefix-index.ts';
import type { Prompt } from './prompt.ts';

/** What the output of a request is taken for before it is there: as context, as memory, as its share of a turn. */
export const OUTPUT_TOKENS = 300;

/** What is known before it is sent. */
export type Dispatch = Readonly<{
  model: ModelForecast;
  prompt: Prompt;
  /** Prompt tokens as estimated by whoever asked, and as expected by what was learned. */
  estimated: number;
  promptTokens: number;
  /** Leading entries of the prompt that the worker should have, and what they stand for. */
  depth: number;
  cachedTokens: number;
  /** Sent by another router. */
  foreign: boolean;
}>;

export type Flight<F> = Dispatch & {
  readonly forecast: F;
  /** Seconds of prefill, by what was known then. */
  readonly work: number;
  readonly at: number;
  /** The worker's clock before it, and how old what the prompt hit was. */
  readonly clock: number;
  readonly ages: Ages;
  /** What is younger belongs to requests that may not have been computed by then. */
  readonly safeAge: number;
  /** Whether nothing else was, or came, before its first token; and how long that took, as its fleet's mean takes it. */
  alone: boolean;
  aloneSeconds: number | null;
};

/** KV memory it takes: prefixes that are shared are there already. */
export function memoryOf({ promptTokens, cachedTokens }: Dispatch): number {
  return promptTokens - cachedTokens + OUTPUT_TOKENS;
}
