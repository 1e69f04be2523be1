/** How a request ended, in a word. */
type Ended = Readonly<{ status: number; finish_reason: string | null; error: string | null }>;

type Outcome = Readonly<{ tone: 'neutral' | 'good' | 'warn' | 'bad'; text: string }>;

const CLIENT_LEFT = 499;

export function outcomeOf({ status, finish_reason, error }: Ended): Outcome {
  if (status < 300) return { tone: 'good', text: finish_reason ?? 'done' };
  if (status === CLIENT_LEFT) return { tone: 'warn', text: 'client left' };
  return { tone: 'bad', text: error === null ? String(status) : `${status} ${error}` };
}

type Timed = Readonly<{
  completion_tokens: number;
  ttft_ms: number | null;
  duration_ms: number;
}>;

/** Of those after the first token; null where there is nothing to measure. */
export function tokensPerSecond({ completion_tokens, ttft_ms, duration_ms }: Timed): number | null {
  if (ttft_ms === null || completion_tokens < 2 || duration_ms <= ttft_ms) return null;
  return ((completion_tokens - 1) * 1_000) / (duration_ms - ttft_ms);
}
