/**
 * The arguments of a tool call as an object. A host sends them as text, which may be cut, or no JSON
 * at all: the call then has an empty object.
 */
import { scan } from '../../../shared/bounds/json-scan.ts';
import { limits } from '../../../shared/limits.ts';

/** The most bytes of all calls of an answer: they are parsed on the event loop. */
export const TOOL_INPUTS_BYTES_MAX = 1024 * 1024;

const EMPTY = '{}';
/** An escape in JSON. The group is half a surrogate pair without the other half. */
const ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|[^])/g;

/** Returns the JSON text of the object. `escaped` is the inside of a JSON string. */
export function toolInput(escaped: readonly Buffer[]): string {
  const text = JSON.parse(`"${Buffer.concat(escaped).toString()}"`) as string;
  const { jsonDepthMax: depthMax, jsonNodesMax: nodesMax } = limits;
  const { exceeded, hasLoneSurrogate } = scan(Buffer.from(text), { depthMax, nodesMax });
  if (exceeded) return EMPTY;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject) return EMPTY;
    // The text itself: written again, numbers with many digits would change.
    return hasLoneSurrogate ? wellFormed(text) : text;
  } catch {
    return EMPTY;
  }
}

/** Replaces lone surrogates, which not every client can read. */
function wellFormed(json: string): string {
  return json.replace(ESCAPE, (escape, lone?: string) => (lone ? '\\ufffd' : escape));
}
