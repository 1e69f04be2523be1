/** Every deadline of a request that a worker has: which one has passed, and what that means. */
import { limits } from '../../shared/limits.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { Failure } from './failure.ts';

/** Monotonic times of a request under way. */
type Times = Readonly<{
  arrived: number;
  /** When its worker was given it. */
  begunAt: number;
  /** When something was last heard of its worker. */
  heardAt: number;
  /** Since when its client has taken nothing; null: it reads. */
  stalledAt: number | null;
  /** Whether the engine has taken it. */
  accepted: boolean;
}>;

/** `stalled`: the client does not read, which is no failure. */
export function overdue(now: number, times: Times): Failure | 'stalled' | null {
  const { arrived, begunAt, heardAt, stalledAt, accepted } = times;
  const age = now - arrived;
  if (stalledAt !== null && now - stalledAt > limits.writeStallMsMax) return 'stalled';
  if (age > limits.requestMsMax) {
    return { cause: 'request_deadline', refusal: new Refusal('deadline_exceeded'), fault: 'none' };
  }
  if (!accepted && age > limits.firstByteMsMax) {
    // The deadline is the request's own: only a worker that had most of it has failed.
    const fault = now - begunAt > limits.firstByteMsMax / 2 ? 'failed' : 'none';
    return { cause: 'first_byte_deadline', refusal: new Refusal('first_byte_timeout'), fault };
  }
  if (accepted && stalledAt === null && now - heardAt > limits.idleMsMax) {
    return { cause: 'idle_deadline', refusal: new Refusal('idle_timeout'), fault: 'failed' };
  }
  return null;
}
