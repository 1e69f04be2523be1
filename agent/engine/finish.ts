/** Maps the finish reasons of engines to the public ones. */
import type { End } from '../../shared/wire/messages.ts';

export type Finish = Extract<End, { outcome: 'finished' }>['finish'];

/**
 * Returns the public finish_reason for an engine's, or null for one that is not a success. An
 * engine that was told which function to call ends with `stop`. An engine that had to call a
 * function and did not ends with `tool_calls`. Therefore `calledTool` decides.
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
