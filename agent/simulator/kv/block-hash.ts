/**
 * What names a block of the prefix cache: a hash of its tokens and of the block before it, so that
 * equal hashes mean equal prefixes. Model and salt are the parent of the first block and so reach
 * every later one. 52 bits fit a number: no BigInt on the path of a million-token prompt.
 */
import { hash } from 'node:crypto';

export const BLOCK_TOKENS = 16;

const LOW = 2 ** 32;
const HASH_HEX_DIGITS = 13;

/** The parent of a first block: nobody shares a prefix across models or salts. */
export function rootHash(model: string, salt: string | null): number {
  const digest = hash('sha256', JSON.stringify([model, salt]), 'hex');
  return Number.parseInt(digest.slice(0, HASH_HEX_DIGITS), 16);
}

/** The hash of the block of tokens that starts at `from`. */
export function chainHash(parent: number, tokens: Int32Array, from: number): number {
  let low = parent | 0;
  let high = (parent / LOW) | 0;
  for (let at = from; at < from + BLOCK_TOKENS; at++) {
    const token = tokens[at] ?? 0;
    low = Math.imul(low ^ token, 0x01000193);
    low ^= low >>> 15;
    high = Math.imul(high + token, 0x2c1b3c6d) ^ low;
    high ^= high >>> 13;
  }
  return (high >>> 12) * LOW + (low >>> 0);
}

/** The hashes of all full blocks, first to last. */
export function blockHashes(root: number, tokens: Int32Array): number[] {
  const hashes: number[] = [];
  let parent = root;
  for (let from = 0; from + BLOCK_TOKENS <= tokens.length; from += BLOCK_TOKENS) {
    parent = chainHash(parent, tokens, from);
    hashes.push(parent);
  }
  return hashes;
}
