/**
 * Hot path. Chunks of a response of HTTP/1.1: the length of the content in hexadecimal and a line end,
 * the content, and a line end.
 */

const DIGITS = Buffer.from('0123456789abcdef');
const BITS_OF_DIGIT = 4;
const [CR, LF] = [0x0d, 0x0a];

/** The bytes after the content. */
export const CHUNK_END_BYTES = 2;

/** How many bytes come before a content of `length` bytes, at least one. */
export function chunkStartBytes(length: number): number {
  return Math.ceil((32 - Math.clz32(length)) / BITS_OF_DIGIT) + 2;
}

/** Writes what surrounds the content of a chunk, which begins at `start`. */
export function encloseChunk(chunk: Buffer, start: number): void {
  const end = chunk.length - CHUNK_END_BYTES;
  let rest = end - start;
  for (let at = start - 3; at >= 0; at -= 1) {
    chunk[at] = DIGITS[rest & 0xf] ?? 0;
    rest >>= BITS_OF_DIGIT;
  }
  chunk[start - 2] = CR;
  chunk[start - 1] = LF;
  chunk[end] = CR;
  chunk[end + 1] = LF;
}
