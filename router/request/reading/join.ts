/**
 * Returns the bytes of all blocks, copied into new memory. A single block is returned as it is,
 * without a copy.
 */
export function joined(blocks: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [only] = blocks;
  if (only && blocks.length === 1) return only;
  const whole = new Uint8Array(lengthOf(blocks));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.length;
  }
  return whole;
}

export function lengthOf(blocks: readonly Uint8Array[]): number {
  return blocks.reduce((sum, { length }) => sum + length, 0);
}
