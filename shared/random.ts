/**
 * Injected randomness: the system's for secrets and ids, and a seeded generator for results that
 * must be repeatable.
 */
import { getRandomValues } from 'node:crypto';

export interface Random {
  /** Uniform in [0, 1). */
  unit(): number;
  /** Uniform whole number in [0, below). */
  below(below: number): number;
  bytes(length: number): Uint8Array;
}

const POOL_BYTES = 4096;
let pool: Uint8Array = new Uint8Array(0);
let poolAt = 0;

function systemBytes(length: number): Uint8Array {
  if (length > POOL_BYTES) throw new RangeError(`at most ${POOL_BYTES} random bytes at once`);
  if (poolAt + length > pool.length) {
    pool = getRandomValues(new Uint8Array(POOL_BYTES));
    poolAt = 0;
  }
  // The bytes are copied and then cleared in the pool, so that a secret is in one place only.
  const out = pool.slice(poolAt, poolAt + length);
  pool.fill(0, poolAt, poolAt + length);
  poolAt += length;
  return out;
}

export const systemRandom: Random = {
  unit: () => Math.random(),
  below: (below) => Math.floor(Math.random() * below),
  bytes: systemBytes,
};

/** sfc32 seeded from one number: the same seed gives the same stream on every machine. */
export function seededRandom(seed: number): Random {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed | 0;
  let counter = 1;
  const next = (): number => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return t >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  return {
    unit: () => next() / 2 ** 32,
    below: (below) => Math.floor((next() / 2 ** 32) * below),
    bytes: (length) => Uint8Array.from({ length }, () => next() & 0xff),
  };
}
