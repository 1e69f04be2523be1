/**
 * A prompt as routers know it: chained hashes over chunks of its canonical text, seeded with model
 * and salt, so that no two organizations share a hash. Routers see text, not tokens: a prompt's
 * tokens are assumed to be spread evenly over its characters.
 */
import { hash } from 'node:crypto';

/** Characters of canonical text in a chunk: about 256 tokens of English. */
export const CHUNK_CHARS = 1024;
/** The most chunks of a prompt that are indexed; the rest counts as never seen. */
const CHUNKS_MAX = 4096;

export type Prompt = Readonly<{
  /**
   * Two u32 for each entry: first the hash of the seed, then one for each whole chunk, which covers
   * all text up to its end. The first entry stands for "anything at all from this organization for
   * this model".
   */
  chunks: Uint32Array;
  chars: number;
  /**
   * A hash of all text, its last part of a chunk included, and of the settings that a chat template
   * may put into the prompt. Null when a router does not know it: for a prompt of another router, or
   * one with more than `CHUNKS_MAX` chunks.
   */
  whole: string | null;
}>;

// Hot path: called for each request, over all of its text.
export function promptOf(seed: string, text: string, settings = ''): Prompt {
  const whole = Math.min(CHUNKS_MAX, Math.floor(text.length / CHUNK_CHARS));
  const chunks = new Uint32Array(2 * (whole + 1));
  let before = hash('sha1', seed, 'hex');
  for (let i = 0; ; i++) {
    chunks[2 * i] = Number.parseInt(before.slice(0, 8), 16);
    chunks[2 * i + 1] = Number.parseInt(before.slice(8, 16), 16);
    const next = before + text.slice(i * CHUNK_CHARS, (i + 1) * CHUNK_CHARS);
    if (i === whole) {
      const isAll = text.length < (CHUNKS_MAX + 1) * CHUNK_CHARS;
      const ofAll = isAll ? hash('sha1', `${settings}\n${next}`, 'hex') : null;
      return { chunks, chars: text.length, whole: ofAll };
    }
    before = hash('sha1', next, 'hex');
  }
}

/** The number of whole chunks of text: all entries but the seed's. */
export function wholeChunks({ chunks }: Prompt): number {
  return chunks.length / 2 - 1;
}

/** The tokens of a prompt that its first `depth` entries, including the seed's, stand for. */
export function predictedTokens({ chars }: Prompt, depth: number, promptTokens: number): number {
  const matched = Math.max(0, depth - 1) * CHUNK_CHARS;
  if (matched === 0 || promptTokens === 0) return 0;
  return Math.min(promptTokens - 1, Math.floor((promptTokens * matched) / chars));
}

/**
 * The most cached tokens that a worker may report: the text that it was sent before, and the chunk
 * in which the prompts diverge, at one token for each character. 0 if it never had a prompt with
 * this seed.
 */
export function cachedTokensMax(depth: number, promptTokens: number): number {
  return depth > CHUNKS_MAX ? promptTokens : Math.min(promptTokens, depth * CHUNK_CHARS);
}

/** The format of the link: 8 bytes for each entry, in base64. */
export function packChunks({ chunks }: Prompt): string {
  const bytes = Buffer.allocUnsafe(chunks.length * 4);
  for (let i = 0; i < chunks.length; i++) bytes.writeUInt32BE(chunks[i] as number, 4 * i);
  return bytes.toString('base64');
}

/** Reverses `packChunks`. Other input is cut to whole entries, and to `CHUNKS_MAX` chunks. */
export function unpackChunks(packed: string): Prompt {
  const bytes = Buffer.from(packed, 'base64');
  const count = Math.min(CHUNKS_MAX + 1, Math.floor(bytes.length / 8));
  const chunks = new Uint32Array(2 * count);
  for (let i = 0; i < chunks.length; i++) chunks[i] = bytes.readUInt32BE(4 * i);
  return { chunks, chars: Math.max(0, count - 1) * CHUNK_CHARS, whole: null };
}
