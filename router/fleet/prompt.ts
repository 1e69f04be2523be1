/**
 * A prompt as routers know it: chained hashes over chunks of its canonical text, seeded with model and salt, so
 * that no two organizations share one. Routers see text and not tokens: a prompt's tokens are taken to be spread
 * evenly over its characters.
 */
import { hash } from 'node:crypto';

/** Characters of canonical text in one chunk: about 256 tokens of English. */
export const CHUNK_CHARS = 1024;
/** Prompts are indexed up to here; what is beyond counts as never seen. */
const CHUNKS_MAX = 4096;

export type Prompt = Readonly<{
  /**
   * Two u32 a chunk. First the seed's own hash, then one for each whole chunk, each bound to all text before it.
   * The first stands for "anything at all from this organization for this model".
   */
  chunks: Uint32Array;
  chars: number;
}>;

// Hot path: once for each request, over all of its text.
export function promptOf(seed: string, text: string): Prompt {
  const whole = Math.min(CHUNKS_MAX, Math.floor(text.length / CHUNK_CHARS));
  const chunks = new Uint32Array(2 * (whole + 1));
  let before = hash('sha1', seed, 'hex');
  for (let i = 0; ; i++) {
    chunks[2 * i] = Number.parseInt(before.slice(0, 8), 16);
    chunks[2 * i + 1] = Number.parseInt(before.slice(8, 16), 16);
    if (i === whole) return { chunks, chars: text.length };
    before = hash('sha1', before + text.slice(i * CHUNK_CHARS, (i + 1) * CHUNK_CHARS), 'hex');
  }
}

/** Whole chunks of text: all but the seed's. */
export function wholeChunks({ chunks }: Prompt): number {
  return chunks.length / 2 - 1;
}

/** The tokens of a prompt that its first `depth` entries stand for, the seed's own included. */
export function predictedTokens({ chars }: Prompt, depth: number, promptTokens: number): number {
  const matched = Math.max(0, depth - 1) * CHUNK_CHARS;
  if (matched === 0 || promptTokens === 0) return 0;
  return Math.min(promptTokens - 1, Math.floor((promptTokens * matched) / chars));
}

/**
 * The most that a worker may report as cached: the text it was sent before and the chunk in which the
 * prompts part, at a token a character; nothing if it never had anything under this seed.
 */
export function cachedTokensMax(depth: number, promptTokens: number): number {
  return depth > CHUNKS_MAX ? promptTokens : Math.min(promptTokens, depth * CHUNK_CHARS);
}

/** As the link carries it: 8 bytes a chunk, in base64. */
export function packChunks({ chunks }: Prompt): string {
  const bytes = Buffer.allocUnsafe(chunks.length * 4);
  for (let i = 0; i < chunks.length; i++) bytes.writeUInt32BE(chunks[i] as number, 4 * i);
  return bytes.toString('base64');
}

/** What `packChunks` made; what else comes is cut to whole chunks and to the longest that is indexed. */
export function unpackChunks(packed: string): Prompt {
  const bytes = Buffer.from(packed, 'base64');
  const count = Math.min(CHUNKS_MAX + 1, Math.floor(bytes.length / 8));
  const chunks = new Uint32Array(2 * count);
  for (let i = 0; i < chunks.length; i++) chunks[i] = bytes.readUInt32BE(4 * i);
  return { chunks, chars: Math.max(0, count - 1) * CHUNK_CHARS };
}
