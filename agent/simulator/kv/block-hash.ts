/**
 * Identifies a block of the prefix cache: a hash of its tokens and of the block before it, so that
 * equal hashes mean equal prefixes. A hash of model and salt is the parent of the first block, and
 * so affects every later one. Hashes have 52 bits, which fit a number, so that a prompt of a
 * million tokens needs no BigInt.
 */
import { hash } from 'node:crypto';

export const BLOCK_TOKENS = 16;

const LOW = 2 ** 32;
const HASH_HEX_DIGITS = 13;

/** Returns the parent of a first block. Different models or salts share no prefix. */
export function rootHash(model: string, salt: string | null): number {
  const digest = hash('sha256', JSON.stringify([model, salt]), 'hex');
  return Number.parseInt(digest.slice(0, HASH_HEX_DIGITS), 16);
}

/** Returns the hash of the block of tokens that starts at `from`. */
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

/** Returns the hashes of all full blocks, first to last. */
export function blockHashes(root: number, tokens: Int32Array): number[] {
  const hashes: number[] = [];
  let parent = root;
  for (let from = 0; from + BLOCK_TOKENS <= tokens.length; from += BLOCK_TOKENS) {
    parent = chainHash(parent, tokens, from);
    hashes.push(parent);
  }
  return hashes;
}
