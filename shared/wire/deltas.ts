/**
 * What of an answer crosses the link: its text, the model's thoughts, its tool calls. Each delta is a record whose
 * text is escaped (escaped.ts). The bytes around it are the router's, so no agent writes a byte of what a client reads.
 */

/**
 * What each delta costs of the byte grant besides its own bytes: about as many as the router writes around it. So the
 * grant bounds what the router writes and keeps, and how many records there may be, however small they are.
 */
export const DELTA_OVERHEAD_BYTES = 256;

/** Tool calls in one answer. */
export const CALLS_MAX = 1_024;
/** The id of a call, and the name of the function that is called: each escaped, and not empty. */
export const CALL_ID_BYTES_MAX = 256;
export const CALL_NAME_BYTES_MAX = 1_024;
const INDEX_BYTES = 2;
/** The call's index as u16, the length of its id as u16; then the id and the name. */
const CALL_HEADER_BYTES = 4;

/** What stands before a fragment of a call's arguments. */
export function packIndex(index: number): Buffer {
  const bytes = Buffer.alloc(INDEX_BYTES);
  bytes.writeUInt16LE(index);
  return bytes;
}

/** What stands before the id and the name of a call. */
export function packCall(index: number, idBytes: number): Buffer {
  const bytes = Buffer.alloc(CALL_HEADER_BYTES);
  bytes.writeUInt16LE(index);
  bytes.writeUInt16LE(idBytes, INDEX_BYTES);
  return bytes;
}

/** A record's parts, not checked any further; null where it is too short. */
export function unpackArguments(bytes: Buffer): { index: number; text: Buffer } | null {
  if (bytes.length < INDEX_BYTES) return null;
  return { index: bytes.readUInt16LE(), text: bytes.subarray(INDEX_BYTES) };
}

/** The same of a call. */
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
