/** A request on its way through the model. */
import type { Arrival } from '../trace/load.ts';

export type Job = {
  readonly ask: Arrival;
  /** Its place among all arrivals. */
  readonly number: number;
  worker: number;
  /** Blocks of its prompt that the engine had cached when it began. */
  hitBlocks: number;
  firstTokenS: number;
  endS: number;
};

/** A job that an engine has begun. */
export type Running = {
  readonly job: Job;
  /** Prompt tokens computed or cached. */
  computed: number;
  /** Prompt tokens that the step under way computes. */
  piece: number;
  /** Tokens generated. */
  generated: number;
  /** Blocks of the prompt that others may hit, or that others have published. */
  published: number;
  /** Slots of cached blocks that it holds, and blocks that are its own. */
  readonly held: number[];
  reserved: number;
};
