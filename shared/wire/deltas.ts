/**
 * The parts of an answer that cross the link: its text, the model's reasoning, its tool calls. Each
 * delta is a record whose text is escaped (escaped.ts). The router writes everything around that
 * text, so that a host can write nothing but the inside of JSON strings.
 */

/**
 * How much of the byte grant each delta costs besides its own bytes: about as many bytes as the
 * router writes around it. The grant thus limits what the router writes and keeps, and the number
 * of records, however small they are.
 */
export const DELTA_OVERHEAD_BYTES = 256;

/** The most tool calls in one answer. */
export const CALLS_MAX = 1_024;
/** The longest id of a call and the longest function name, escaped. Neither is empty. */
export const CALL_ID_BYTES_MAX = 256;
export const CALL_NAME_BYTES_MAX = 1_024;
const INDEX_BYTES = 2;
/** The index of the call as u16, and the length of its id as u16. The id and the name follow. */
const CALL_HEADER_BYTES = 4;

/** Returns the prefix of a fragment of a call's arguments. */
export function packIndex(index: number): Buffer {
  const bytes = Buffer.alloc(INDEX_BYTES);
  bytes.writeUInt16LE(index);
  return bytes;
}

/** Returns the prefix of the id and the name of a call. */
export function packCall(index: number, idBytes: number): Buffer {
  const bytes = Buffer.alloc(CALL_HEADER_BYTES);
  bytes.writeUInt16LE(index);
  bytes.writeUInt16LE(idBytes, INDEX_BYTES);
  return bytes;
}

/**
 * Splits a record of a call's arguments, without further checks. Returns null when it is too short.
 */
export function unpackArguments(bytes: Buffer): { index: number; text: Buffer } | null {
  if (bytes.length < INDEX_BYTES) return null;
  return { index: bytes.readUInt16LE(), text: bytes.subarray(INDEX_BYTES) };
}

/**
 * Splits a record that begins a call, without further checks. Returns null when it is too short.
 */
export function unpackCall(bytes: Buffer): { index: number; id: Buffer; name: Buffer } | null {
  if (bytes.length < CALL_HEADER_BYTES) return null;
  const end = CALL_HEADER_BYTES + bytes.readUInt16LE(INDEX_BYTES);
  if (end > bytes.length) return null;
  return {
    index: bytes.readUInt16LE(),
    id: bytes.subarray(CALL_HEADER_BYTES, end),
    name: bytes.subarray(end),
  };
}
