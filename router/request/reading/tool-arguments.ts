/**
 * Checks the arguments of tool calls in the message history. Engines parse them for the chat
 * template, and some fail with a 500 when they are not JSON: a call that was cut by max_tokens and
 * sent back by its client would look like a broken worker.
 */
import { faultAt, type Fault } from './fault.ts';
import { scan } from '../../../shared/bounds/json-scan.ts';
import { findIllFormed, type Path } from './well-formed.ts';

/** JSON values left for the arguments of all calls together, and their maximum depth. */
export type ArgumentsCheck = { nodesLeft: number; readonly depthMax: number };

/**
 * Empty arguments are allowed: engines write none for a call without arguments. The agent replaces
 * them with an empty object. Returns null when there is no fault.
 */
export function toolArguments(text: string, call: Path, check: ArgumentsCheck): Fault | null {
  if (text.trim() === '') return null;
  const fault = (message: string) =>
    faultAt('invalid_value', [...call, 'function', 'arguments'], (param) => `${param}: ${message}`);
  const scanned = scan(Buffer.from(text), {
    depthMax: check.depthMax,
    nodesMax: check.nodesLeft,
  });
  if (scanned.exceeded) return fault('the JSON is nested too deeply or has too many values');
  check.nodesLeft -= scanned.nodes;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault('not valid JSON: leave out a call that was cut off, or send it whole');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fault('not a JSON object');
  }
  if (scanned.hasLoneSurrogate && findIllFormed(value)) {
    return fault('a text in it has half of a surrogate pair');
  }
  return null;
}
