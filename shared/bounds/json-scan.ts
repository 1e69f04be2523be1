/**
 * Hot path. One pass over the bytes of a JSON text before it is parsed. It counts what parsing
 * would have to build, so that a text with few bytes but many objects is refused at the cost of
 * this pass. It allocates nothing. It does not check that the text is JSON: JSON.parse does that.
 */

export type Scan = Readonly<{
  /** The first bound that the text exceeds. */
  exceeded: 'depth' | 'nodes' | null;
  /** Values counted, up to the bound. */
  nodes: number;
  /** Whether a surrogate escape such as \ud83d has no pair, so that a string may be ill-formed. */
  hasLoneSurrogate: boolean;
}>;

export type ScanBounds = Readonly<{ depthMax: number; nodesMax: number }>;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const LOWER_D = 0x64;
const COMMA = 0x2c;
/** The bit in which the upper and lower case of an ASCII letter differ. */
const CASE = 0x20;
/** What `{` and `[`, and `}` and `]`, have in common once the case bit is set. */
const OPENS = 0x7b;
const CLOSES = 0x7d;

export function scan(bytes: Uint8Array, { depthMax, nodesMax }: ScanBounds): Scan {
  // The text itself is a value. An opening bracket may bring a first value, a comma one more.
  let nodes = 1;
  let depth = 0;
  let hasLoneSurrogate = false;
  const { length } = bytes;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      for (at += 1; at < length; at++) {
        const inner = bytes[at] as number;
        if (inner === QUOTE) break;
        if (inner !== BACKSLASH) continue;
        const taken = escapeLength(bytes, at);
        hasLoneSurrogate ||= taken === 6;
        at += (taken === 6 ? 2 : taken) - 1;
      }
    } else if (byte === COMMA) {
      nodes += 1;
    } else if ((byte | CASE) === OPENS) {
      nodes += 1;
      depth += 1;
      if (depth > depthMax) return { exceeded: 'depth', nodes, hasLoneSurrogate };
    } else if ((byte | CASE) === CLOSES) {
      depth -= 1;
    }
    if (nodes > nodesMax) return { exceeded: 'nodes', nodes, hasLoneSurrogate };
  }
  return { exceeded: null, nodes, hasLoneSurrogate };
}

/**
 * Returns the length of the escape at `at`: 12 for a surrogate pair, 6 for a surrogate without its
 * pair, and 2 for any other escape.
 */
function escapeLength(bytes: Uint8Array, at: number): 2 | 6 | 12 {
  const half = surrogateHalf(bytes, at);
  if (half === null) return 2;
  return half === 'high' && surrogateHalf(bytes, at + 6) === 'low' ? 12 : 6;
}

function surrogateHalf(bytes: Uint8Array, at: number): 'high' | 'low' | null {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LOWER_U) return null;
  if (((bytes[at + 2] ?? 0) | CASE) !== LOWER_D) return null;
  const digit = bytes[at + 3] ?? 0;
  // 8, 9, a and b begin a high half, c to f a low one.
  if (digit === 0x38 || digit === 0x39) return 'high';
  const letter = digit | CASE;
  if (letter === 0x61 || letter === 0x62) return 'high';
  return letter >= 0x63 && letter <= 0x66 ? 'low' : null;
}
