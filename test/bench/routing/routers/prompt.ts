/**
 * A trace's prompt as the router's index would know it. The ids of its blocks stand in for hashes
 * of text.
 */
import type { Prompt } from '../../../../router/routing/prompt.ts';
import { CHUNK_CHARS } from '../../../../router/routing/prompt.ts';
import { BLOCK_TOKENS, type TraceRequest } from '../trace/trace.ts';

/** About the average for English. */
const TOKEN_CHARS = 4;
const BLOCK_CHUNKS = (BLOCK_TOKENS * TOKEN_CHARS) / CHUNK_CHARS;

export function promptOf({
  blocks,
  inputTokens,
}: Pick<TraceRequest, 'blocks' | 'inputTokens'>): Prompt {
  const chunks = new Uint32Array(2 * (1 + BLOCK_CHUNKS * blocks.length));
  // Entry 0 stays 0. It is the seed's, for one model and one organization.
  let at = 2;
  for (const id of blocks) {
    for (let part = 0; part < BLOCK_CHUNKS; part++) {
      chunks[at++] = mixed(id, 2 * part + 1);
      chunks[at++] = mixed(id, 2 * part + 2);
    }
  }
  return { chunks, chars: inputTokens * TOKEN_CHARS, whole: null };
}

/**
 * Distributes ids as evenly as a hash. It is one-to-one for each `salt`, so that two ids never
 * share both halves.
 */
export function mixed(id: number, salt: number): number {
  let hash = Math.imul(id ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) >>> 0;
}
