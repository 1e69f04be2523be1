/** One request, parsed and planned, with everything that it takes to run and answer it. */
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
  /** Whether a tool had to be called. The content of a whole answer is then '' and not null. */
  readonly forcedTool: boolean;
  /** Whether a reasoning or tool parser reads the output. The empty last delta shows it. */
  readonly parsed: boolean;
  readonly hideReasoning: boolean;
}
