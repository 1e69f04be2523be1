/** Who wants to know what the prefix cache holds. */

export interface StoredBlock {
  readonly hash: number;
  /** Null for a first block. */
  readonly parent: number | null;
  readonly tokens: readonly number[];
  /** Only a first block is told of its salt; later ones have it through their parents. */
  readonly salt: string | null;
}

export interface KvListener {
  stored(block: StoredBlock): void;
  removed(hash: number): void;
  cleared(): void;
}
