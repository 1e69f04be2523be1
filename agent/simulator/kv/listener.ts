/** Receives the changes of the prefix cache. */

export interface StoredBlock {
  readonly hash: number;
  /** Null for a first block. */
  readonly parent: number | null;
  readonly tokens: readonly number[];
  /** Set for a first block only. Later blocks depend on it through their parents. */
  readonly salt: string | null;
}

export interface KvListener {
  stored(block: StoredBlock): void;
  removed(hash: number): void;
  cleared(): void;
}
