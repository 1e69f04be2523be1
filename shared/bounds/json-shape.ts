/**
 * How deep JSON is nested and of how many parts it is made, in one pass over its bytes and before it is parsed: a
 * megabyte of `[[],[],…]` parses into a hundred times its size, and takes as much longer to check.
 */

export type JsonShapeMax = Readonly<{
  /** Arrays and objects within one another. */
  depthMax: number;
  /** Values of every kind, and the keys of objects. */
  nodesMax: number;
}>;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** So many bytes of a string are looked at here; the end of a longer string is searched for natively. */
const SHORT_STRING_BYTES = 24;

const [OTHER, SPACE, OPEN, CLOSE, STRING] = [0, 1, 2, 3, 4] as const;
const KIND_OF_BYTE = new Uint8Array(256);
for (const byte of Buffer.from(' \t\r\n,:')) KIND_OF_BYTE[byte] = SPACE;
for (const byte of Buffer.from('[{')) KIND_OF_BYTE[byte] = OPEN;
for (const byte of Buffer.from(']}')) KIND_OF_BYTE[byte] = CLOSE;
KIND_OF_BYTE[QUOTE] = STRING;

/**
 * Hot path. Allocates nothing and stops at the first excess. It does not check the syntax: of bytes that are no JSON
 * it says something about the part before the first mistake, which is as far as a parser gets.
 */
export function checkJsonShape(
  bytes: Uint8Array,
  max: JsonShapeMax,
): 'ok' | 'too_deep' | 'too_many' {
  const { depthMax, nodesMax } = max;
  const { length } = bytes;
  let depth = 0;
  let nodes = 0;
  let at = 0;
  while (at < length) {
    const kind = KIND_OF_BYTE[bytes[at] as number];
    at += 1;
    if (kind === SPACE) continue;
    if (kind === CLOSE) {
      depth -= 1;
      continue;
    }
    nodes += 1;
    if (nodes > nodesMax) return 'too_many';
    if (kind === OPEN) {
      depth += 1;
      if (depth > depthMax) return 'too_deep';
    } else if (kind === STRING) at = endOfString(bytes, at);
    else while (at < length && KIND_OF_BYTE[bytes[at] as number] === OTHER) at += 1;
  }
  return 'ok';
}

/** The position after the closing quote of a string whose first byte is at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  const near = Math.min(bytes.length, start + SHORT_STRING_BYTES);
  let at = start;
  while (at < near) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  for (;;) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return bytes.length;
    let backslashes = 0;
    while (quote - backslashes > at && bytes[quote - backslashes - 1] === BACKSLASH) {
      backslashes += 1;
    }
    at = quote + 1;
    if (backslashes % 2 === 0) return at;
  }
}
