/**
 * The arguments of a tool call as an object. A host sends them as text, which may be cut, or no JSON
 * at all: the call then has an empty object.
 */
import { scan } from '../../../shared/bounds/json-scan.ts';
import { limits } from '../../../shared/limits.ts';

const EMPTY = '{}';
/** Longer arguments would take too long to parse on the event loop. */
const BYTES_MAX = 4 * 1024 * 1024;

/** Returns the JSON text of the object. `escaped` is the inside of a JSON string. */
export function toolInput(escaped: readonly Buffer[]): string {
  const bytes = Buffer.concat(escaped);
  if (bytes.length > BYTES_MAX) return EMPTY;
  const text = JSON.parse(`"${bytes.toString()}"`) as string;
  const { jsonDepthMax: depthMax, jsonNodesMax: nodesMax } = limits;
  const { exceeded, hasLoneSurrogate } = scan(Buffer.from(text), { depthMax, nodesMax });
  if (exceeded) return EMPTY;
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject) return EMPTY;
    // Written again, numbers with many digits would change.
    return hasLoneSurrogate ? JSON.stringify(value, wellFormed) : text;
  } catch {
    return EMPTY;
  }
}

/** Replaces lone surrogates, which not every client can read. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
