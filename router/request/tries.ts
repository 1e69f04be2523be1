/** What the log and the usage row tell of the attempts at a request. */
import type { RefusalCode } from '../../shared/refusals.ts';
import type { Worker } from '../fleet/worker.ts';
import type { FailedAttempt } from '../ledger/terms.ts';
import type { Call } from './call.ts';
import type { Heard } from './heard.ts';
import type { PickedTokens } from './pick.ts';

export type Tries = {
  /** When the body had been read and checked, and when the request was admitted (monotonic ms). */
  readonly bodyAt: number;
  readonly admittedAt: number;
  /** How many attempts were made. */
  count: number;
  /** Those that failed, in their order. */
  readonly failed: (FailedAttempt & Readonly<{ worker: string; error: RefusalCode }>)[];
  /** How long the request waited for a worker with room, in ms. */
  waitedMs: number;
  /** What was predicted when the worker was picked. Null before. */
  picked: PickedTokens | null;
};

/** Records an attempt that has failed `now`, in monotonic ms, and why. */
export function noteFailure(
  { failed }: Tries,
  { arrived }: Call,
  of: Readonly<{
    attempt: Readonly<{ worker: Worker }>;
    relay: Readonly<{ heard: Heard }>;
    code: RefusalCode;
  }>,
  now: number,
): void {
  const { begunAt } = of.relay.heard;
  failed.push({
    worker: of.attempt.worker.id,
    error: of.code,
    afterMs: Math.round(begunAt - arrived),
    durationMs: Math.round(now - begunAt),
  });
}
