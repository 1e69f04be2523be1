/** Chunks of HTTP/1.1, as a client reads them. */
import { expect, test } from 'vitest';
import { CHUNK_END_BYTES, chunkStartBytes, encloseChunk } from '../../../router/request/chunk.ts';

test.each([1, 9, 15, 16, 255, 256, 4_095, 4_096, 65_535, 65_536, 1_048_576, 16_777_216])(
  'a content of %i bytes stands between its length and a line end',
  (length) => {
    const start = chunkStartBytes(length);
    const chunk = Buffer.alloc(start + length + CHUNK_END_BYTES, 'x');
    encloseChunk(chunk, start);
    const shown = `${length.toString(16)}\r\n`;
    expect(chunk.toString('latin1', 0, start)).toBe(shown);
    expect(chunk.toString('latin1', start + length)).toBe('\r\n');
    expect(chunk.subarray(start, start + length).every((byte) => byte === 0x78)).toBe(true);
  },
);
