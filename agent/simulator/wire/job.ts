/** One request, read and planned: all that running and answering it takes. */
import type { Script } from '../answer/script.ts';
import type { ServedModel } from '../models.ts';
import type { Sampling } from './sampling.ts';

export interface Job {
  readonly model: ServedModel;
  readonly prompt: Int32Array;
  readonly script: Script;
  readonly sampling: Sampling;
  /** On vLLM a named tool's call ends with `stop`, any other with `tool_calls`. */
  readonly namedTool: boolean;
  /** A tool had to be called: the whole answer's content is then '' and not null. */
  readonly forcedTool: boolean;
  /**
   * The output goes through a reasoning or tool parser, which shows in the empty delta at the end.
   */
  readonly parsed: boolean;
  readonly hideReasoning: boolean;
}
