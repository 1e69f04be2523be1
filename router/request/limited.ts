/** Refusals for a limit that is reached, whether the ledger or the router itself found it. */
import { Refusal } from '../../shared/refusals.ts';
import type { ReserveAnswer } from '../ledger/terms.ts';

type Limited = Extract<ReserveAnswer, { limited: string }>;

const LIMITED = {
  requests: 'Too many requests a minute: slow down, then retry.',
  tokens: 'Too many tokens a minute: slow down, then retry.',
  concurrency: 'Too many requests at once: wait for one to end, then retry.',
  waived:
    'Too many requests were read by an engine and then abandoned, or not covered by the credit: wait, then retry.',
} as const;

export function rateLimited(
  { limited, retryAfterMs }: Pick<Limited, 'limited' | 'retryAfterMs'>,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return new Refusal('rate_limited', {
    message: LIMITED[limited],
    retryAfterS: Math.ceil(retryAfterMs / 1000),
    headers,
  });
}
