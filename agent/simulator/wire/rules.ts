/** In what the engines differ when they read the same request. */
import type { SamplingFields } from './sampling.ts';

export interface RequestRules {
  /** The salt of a request's cache; null shares it with everybody. Throws what it refuses. */
  saltOf(fields: SamplingFields): string | null;
  /** An empty list of tools, or stream options without a stream, are a 400. */
  readonly strict: boolean;
  /** A length that does not fit is cut to what does; otherwise it is a 400. */
  readonly clampsLength: boolean;
  /** Text completions without max_tokens end there; null: when they are done. */
  readonly textTokensDefault: number | null;
}
