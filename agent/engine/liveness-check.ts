/** Determines whether an engine that broke off an answer has died or only failed the request. */
import { type Asking, ask } from './ask.ts';

/**
 * The timeout of the check. It is short, because the router waits for the result before it tries
 * another worker.
 */
const LIVENESS_CHECK_MS_MAX = 500;

/**
 * Returns true when the engine is unreachable or answers /health with a status of 500 or more. An
 * engine that does not answer in time counts as alive.
 */
export async function isDead(asking: Asking): Promise<boolean> {
  const answer = await ask(asking, { path: '/health', timeoutMs: LIVENESS_CHECK_MS_MAX });
  if (typeof answer === 'string') return answer === 'unreachable';
  return answer.status >= 500;
}
