/**
 * The failed attempts at a request as one short text, which is how its usage row keeps them:
 * `worker_lost 3 1200, engine_failed 1204 30`, each with its code, when it began and how long it took.
 */
import type { FailedAttempt } from './terms.ts';

/** Of a request with more, the first ones are kept. */
const FAILED_ATTEMPTS_MAX = 4;

const ATTEMPT = /^([a-z_]{1,64}) (\d{1,12}) (\d{1,12})$/;

/** Null if no attempt failed. */
export function failedAttemptsText(attempts: readonly FailedAttempt[]): string | null {
  if (attempts.length === 0) return null;
  return attempts
    .slice(0, FAILED_ATTEMPTS_MAX)
    .map(({ error, afterMs, durationMs }) => `${error} ${whole(afterMs)} ${whole(durationMs)}`)
    .join(', ');
}

/** Leaves out what is not in the format, which a later version may have written. */
export function failedAttemptsOf(text: string | null): readonly FailedAttempt[] {
  if (text === null) return [];
  return text.split(', ').flatMap((one) => {
    const [, error, after, duration] = ATTEMPT.exec(one) ?? [];
    if (error === undefined) return [];
    return [{ error, afterMs: Number(after), durationMs: Number(duration) }];
  });
}

function whole(ms: number): number {
  return Math.max(0, Math.round(ms));
}
