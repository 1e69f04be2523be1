/** How the engines differ when they read the same request. */
import type { SamplingFields } from './sampling-fields.ts';

export interface RequestRules {
  /**
   * Returns the salt of a request's cache. Null: the cache that all requests share. Throws when the
   * salt is not valid.
   */
  saltOf(fields: SamplingFields): string | null;
  /** Whether an empty list of tools, or stream options without a stream, are a 400. */
  readonly strict: boolean;
  /** Whether a length that does not fit is reduced to one that does. Otherwise it is a 400. */
  readonly clampsLength: boolean;
  /** The length of text completions without max_tokens. Null: no limit of their own. */
  readonly textTokensDefault: number | null;
}
