/**
 * A recorded workload: the arrival and length of each request, and the prefixes that requests
 * share.
 */

/** Tokens in one block of a prefix, in the traces as in the worker model. */
export const BLOCK_TOKENS = 512;

export type TraceRequest = Readonly<{
  /** Seconds since the trace began. */
  atS: number;
  inputTokens: number;
  outputTokens: number;
  /** The same for all requests of one conversation. */
  session: number;
  /**
   * Chained ids of the prompt's whole blocks: the same id stands for the same text from the
   * prompt's start.
   */
  blocks: Uint32Array;
}>;

export type Trace = Readonly<{
  name: string;
  /** In order of time. */
  requests: readonly TraceRequest[];
  /** Every block id is below this one. */
  idsEnd: number;
  /**
   * Block ids below this one belong to no single customer (a system prompt). Copies of the workload
   * share them.
   */
  sharedEnd: number;
}>;

/**
 * Returns how many blocks of a request a cache can save the engine. At least one token is always
 * computed.
 */
export function reusableBlocks(request: Readonly<{ inputTokens: number; blocks: Uint32Array }>) {
  return Math.min(request.blocks.length, Math.floor((request.inputTokens - 1) / BLOCK_TOKENS));
}
