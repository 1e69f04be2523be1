/** Figures of an answer: how fast it streamed, how it ended, and what it cost. */
import type { Model } from '../../../../shared/api/models.ts';
import { charge, formatUsd, parseUsd, ZERO } from '../../../../shared/money.ts';
import { tokenRate } from '../../format/token-rate.ts';
import type { Answer, Usage } from './answer.ts';

/** The time to the first token in ms; null before the first token. */
export function firstTokenMs({ askedAt, firstAt }: Answer): number | null {
  return firstAt === null ? null : firstAt - askedAt;
}

/**
 * Tokens per second after the first token. Null until the answer has ended, without usage, and where
 * `tokenRate` has no rate.
 */
export function tokensPerSecond({ firstAt, endedAt, usage }: Answer): number | null {
  if (firstAt === null || endedAt === null || usage === null) return null;
  return tokenRate(usage.completion, endedAt - firstAt);
}

/** Returns what the organization is charged, as an exact decimal string in USD. */
export function costOf(usage: Usage, { prompt, completion, input_cache_read }: Model['billed']) {
  const price = {
    prompt: parseUsd(prompt) ?? ZERO,
    completion: parseUsd(completion) ?? ZERO,
    cached: parseUsd(input_cache_read) ?? ZERO,
  };
  const cached = Math.min(usage.cached ?? 0, usage.prompt);
  return formatUsd(charge(price, { prompt: usage.prompt, cached, completion: usage.completion }));
}

const FINISHES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    stop: 'Finished',
    length: 'Max tokens reached',
    tool_calls: 'Called a tool',
    content_filter: 'Stopped by a content filter',
  }),
);

/** A text that says how the answer ended; null until it has ended. */
export function endingOf({ phase, finish, fault }: Answer): string | null {
  switch (phase) {
    case 'idle':
    case 'asking':
    case 'streaming':
      return null;
    case 'done':
      return FINISHES.get(finish ?? '') ?? `Ended: ${finish}`;
    case 'stopped':
      return 'Stopped';
    case 'cut':
      return 'Cut off';
    case 'failed':
      return failureOf(fault);
  }
}

/**
 * A 4xx status refuses the request, whether the router or the engine did. Other faults are failures.
 * The message of the fault, which is shown with the answer, says why.
 */
function failureOf(fault: Answer['fault']): string {
  return fault !== null && fault.status >= 400 && fault.status < 500 ? 'Refused' : 'Failed';
}
