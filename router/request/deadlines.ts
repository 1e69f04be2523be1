/** The deadlines of a request on a worker: which of them has passed, and what that means. */
import { limits } from '../../shared/limits.ts';
import { Refusal } from '../../shared/refusals.ts';
import type { Failure } from './failure.ts';

/** Monotonic times of a request in flight, in ms. */
type Times = Readonly<{
  arrived: number;
  /** When the request was sent to its worker. */
  begunAt: number;
  /** When the worker last sent something. */
  heardAt: number;
  /** Since when the client has read nothing. Null when it reads. */
  stalledAt: number | null;
  /** Whether the engine has accepted the request. */
  accepted: boolean;
}>;

/**
 * The deadline that has passed. `stalled` means that the client does not read, which is no failure
 * of the worker. Null means that none has passed.
 */
export function overdue(now: number, times: Times): Failure | 'stalled' | null {
  const { arrived, begunAt, heardAt, stalledAt, accepted } = times;
  const age = now - arrived;
  if (stalledAt !== null && now - stalledAt > limits.writeStallMsMax) return 'stalled';
  if (age > limits.requestMsMax) {
    return { cause: 'request_deadline', refusal: new Refusal('deadline_exceeded'), fault: 'none' };
  }
  if (!accepted && age > limits.firstByteMsMax) {
    // The deadline counts from the request's arrival: a worker has failed only if it had most of
    // the time.
    const fault = now - begunAt > limits.firstByteMsMax / 2 ? 'failed' : 'none';
    return { cause: 'first_byte_deadline', refusal: new Refusal('first_byte_timeout'), fault };
  }
  if (accepted && stalledAt === null && now - heardAt > limits.idleMsMax) {
    return { cause: 'idle_deadline', refusal: new Refusal('idle_timeout'), fault: 'failed' };
  }
  return null;
}
