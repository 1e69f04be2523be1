/** Whether an engine that broke an answer off has died of it, or only failed. */
import { type Asking, ask } from './ask.ts';

/** The router waits for it before it tries another worker. */
const AUTOPSY_MS_MAX = 500;

/** Nobody listens, or what listens says that it does not work. One that is only late lives. */
export async function isDead(asking: Asking): Promise<boolean> {
  const answer = await ask(asking, { path: '/health', timeoutMs: AUTOPSY_MS_MAX });
  if (typeof answer === 'string') return answer === 'unreachable';
  return answer.status >= 500;
}
