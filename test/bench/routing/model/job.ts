/** A request on its way through the model. */
import type { Arrival } from '../trace/load.ts';

export type Job = {
  readonly ask: Arrival;
  /** Its index among all arrivals. */
  readonly number: number;
  worker: number;
  /** Blocks of its prompt that the engine had cached when it started. */
  hitBlocks: number;
  /** The share of its prompt that its router expected to be cached. Null if it expected nothing. */
  expectedShare: number | null;
  firstTokenS: number;
  endS: number;
};

/** A job that an engine has started. */
export type Running = {
  readonly job: Job;
  /** Prompt tokens computed or cached. */
  computed: number;
  /** Prompt tokens that the current step computes. */
  piece: number;
  /** Tokens generated. */
  generated: number;
  /** Leading blocks of the prompt that are in the cache, published by this request or by others. */
  published: number;
  /**
   * `held`: slots of cached blocks that it holds. `reserved`: the number of blocks that only it
   * uses.
   */
  readonly held: number[];
  reserved: number;
};
