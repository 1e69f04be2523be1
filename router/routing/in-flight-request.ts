/** A request that was sent to a worker, with the data that the worker's forecast needs. */
import type { Ages } from './cache-bounds.ts';
import type { ModelForecast } from './model-forecast.ts';
import type { Prompt } from './prompt.ts';

/** Assumed length of an output before it is known, as context and as KV memory. */
export const OUTPUT_TOKENS = 300;

/** What is known before the request is sent. */
export type Dispatch = Readonly<{
  model: ModelForecast;
  prompt: Prompt;
  /** Prompt tokens: as estimated from the text, and corrected by what engines have counted. */
  estimated: number;
  promptTokens: number;
  /** Leading entries of the prompt that the worker should have, and the tokens they stand for. */
  depth: number;
  cachedTokens: number;
  /**
   * Leading entries by the router's own estimate, which believes no report of evictions: for audits
   * and for what is charged as predicted.
   */
  ownDepth: number;
  /** Whether another router sent it. */
  foreign: boolean;
}>;

export type InFlightRequest = Dispatch & {
  /** Expected seconds of prefill at the time of dispatch. */
  readonly prefillSeconds: number;
  readonly dispatchedAt: number;
  /** The worker's clock in the prefix index before the dispatch; ages of the matched entries. */
  readonly clock: number;
  readonly ages: Ages;
  /** Younger entries belong to requests that the worker may not have computed by then. */
  readonly safeAge: number;
  /**
   * Whether no other request has been in the queue with it; and the seconds until its first token,
   * scaled to a worker of the fleet's mean speed. Null until then, and if it was not alone.
   */
  alone: boolean;
  aloneSeconds: number | null;
  /** Among the requests in flight on the worker. */
  place: number;
};
