/** A recorded workload: when requests came, how long they were, and which prefixes they shared. */

/** Tokens in one block of a prefix, in the traces as in the worker model. */
export const BLOCK_TOKENS = 512;

export type TraceRequest = Readonly<{
  /** Seconds since the trace began. */
  atS: number;
  inputTokens: number;
  outputTokens: number;
  /** Requests of one conversation have the same one. */
  session: number;
  /** Chained ids of the prompt's whole blocks: the same id stands for the same text from the start on. */
  blocks: Uint32Array;
}>;

export type Trace = Readonly<{
  name: string;
  /** In order of time. */
  requests: readonly TraceRequest[];
  /** Every block id is below this one. */
  idsEnd: number;
  /** Block ids below this one belong to no single customer (a system prompt): copies of the workload share them. */
  sharedEnd: number;
}>;

/** The blocks of a request that a cache can spare an engine: at least one token is computed anew. */
export function reusableBlocks(request: Readonly<{ inputTokens: number; blocks: Uint32Array }>) {
  return Math.min(request.blocks.length, Math.floor((request.inputTokens - 1) / BLOCK_TOKENS));
}
