/** How an answer ended, in the public words. */
import type { End } from '../../shared/wire/messages.ts';

export type Finish = Extract<End, { outcome: 'finished' }>['finish'];

/**
 * The public finish_reason for an engine's; null for one that is no success. An engine that was told which
 * function to call ends with `stop`; one that had to call a function and did not ends with `tool_calls`.
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
