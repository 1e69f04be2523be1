/** Short texts that say how requests ended. */
import { shownCount } from '../../format/count.ts';

type Ended = Readonly<{ status: number; finish_reason: string | null; error: string | null }>;

type Outcome = Readonly<{ tone: 'neutral' | 'warn' | 'bad'; text: string }>;

const CLIENT_LEFT = 499;

export function outcomeOf({ status, finish_reason, error }: Ended): Outcome {
  if (status < 300) return { tone: 'neutral', text: finish_reason ?? 'done' };
  if (status === CLIENT_LEFT) return { tone: 'warn', text: 'canceled by client' };
  return { tone: 'bad', text: error === null ? String(status) : `${status} ${error}` };
}

export function errorsShown(errors: number): string {
  return `${errors === 0 ? 'No' : shownCount(errors)} ${errors === 1 ? 'error' : 'errors'}`;
}

type Timed = Readonly<{ completion_tokens: number; duration_ms: number }>;

/**
 * Tokens per second over the whole duration, because the first token of an answer that is not
 * streamed arrives together with the last. Null without tokens or duration.
 */
export function tokensPerSecond({ completion_tokens, duration_ms }: Timed): number | null {
  if (completion_tokens === 0 || duration_ms === 0) return null;
  return (completion_tokens * 1_000) / duration_ms;
}
