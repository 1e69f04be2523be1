/**
 * The most recent blocks that were sent to one worker, up to a limit: what a router can know
 * without reports from the engine.
 */
export class SentBlocks {
  readonly #most: number;
  /** In the order of their last use. */
  readonly #blocks = new Set<number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns how many of the first of these blocks were sent. */
  depth(blocks: Uint32Array): number {
    let depth = 0;
    while (depth < blocks.length && this.#blocks.has(blocks[depth] as number)) depth++;
    return depth;
  }

  /** Touches the tail first, so that the head of a prompt is forgotten last. */
  touch(blocks: Uint32Array): void {
    for (let at = blocks.length - 1; at >= 0; at--) {
      const block = blocks[at] as number;
      this.#blocks.delete(block);
      this.#blocks.add(block);
      if (this.#blocks.size <= this.#most) continue;
      const [oldest] = this.#blocks;
      this.#blocks.delete(oldest as number);
    }
  }
}
