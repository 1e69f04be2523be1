/** What the log tells of the attempts at a request. */
import type { RefusalCode } from '../../shared/refusals.ts';
import type { PickedTokens } from './pick.ts';

export type Tries = {
  /** How many attempts were made. */
  count: number;
  /** Those that failed, in their order. */
  readonly failed: { worker: string; error: RefusalCode }[];
  /** How long the request waited for a worker with room, in ms. */
  waitedMs: number;
  /** What was predicted when the worker was picked. Null before. */
  picked: PickedTokens | null;
};
