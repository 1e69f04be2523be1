/** Maps the finish reasons of engines to the public ones. */
import { STOP_SEQUENCE_CHARS_MAX } from '../../shared/wire/end.ts';
import type { End } from '../../shared/wire/end.ts';
import { type EngineChoice, text } from './chunk.ts';

export type Finish = Extract<End, { outcome: 'finished' }>['finish'];

/**
 * Returns the public finish_reason for an engine's, or null for one that is not a success. If the
 * request names the function to call, the engine ends with `stop`. If the request requires a call
 * and the model makes none, the engine ends with `tool_calls`. Therefore `calledTool` decides.
 */
export function finishOf(reason: string, calledTool: boolean): Finish | null {
  switch (reason) {
    case 'stop':
    case 'tool_calls':
      return calledTool ? 'tool_calls' : 'stop';
    case 'length':
      return 'length';
    default:
      return null;
  }
}

/** The stop sequence with which a choice ended, if it is one of the client's. */
export function stopSequenceOf(choice: EngineChoice, stops: readonly unknown[]): string | null {
  const sequence = text(choice.stop_reason) || text(choice.matched_stop);
  return sequence.length <= STOP_SEQUENCE_CHARS_MAX && stops.includes(sequence) ? sequence : null;
}
