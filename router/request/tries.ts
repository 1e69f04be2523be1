/** What the log and the usage row tell of the attempts at a request. */
import type { RefusalCode } from '../../shared/refusals.ts';
import type { Worker } from '../fleet/worker.ts';
import type { FailedAttempt } from '../ledger/terms.ts';
import type { Call } from './call.ts';
import type { PickedTokens } from './pick.ts';

export type Tries = {
  /** When the body had been read and checked, and when the request was admitted (monotonic ms). */
  readonly bodyAt: number;
  readonly admittedAt: number;
  /** When the last attempt began (monotonic ms). Null before. */
  pickedAt: number | null;
  /** How many attempts were made. */
  count: number;
  /** Those that failed, in their order. */
  readonly failed: (FailedAttempt & Readonly<{ worker: string; error: RefusalCode }>)[];
  /** How long the request waited for a worker with room, in ms. */
  waitedMs: number;
  /** What was predicted when the worker was picked. Null before. */
  picked: PickedTokens | null;
};

/** Times are monotonic ms. */
export function newTries(bodyAt: number, admittedAt: number): Tries {
  return { bodyAt, admittedAt, pickedAt: null, count: 0, failed: [], waitedMs: 0, picked: null };
}

/** Records that the last attempt, on `worker`, has failed `now` (monotonic ms), and why. */
export function noteFailure(
  { pickedAt, failed }: Tries,
  { arrived }: Call,
  { worker, code }: Readonly<{ worker: Worker; code: RefusalCode }>,
  now: number,
): void {
  if (pickedAt === null) throw new Error('no attempt has begun that could have failed');
  failed.push({
    worker: worker.id,
    error: code,
    afterMs: Math.round(pickedAt - arrived),
    durationMs: Math.round(now - pickedAt),
  });
}
