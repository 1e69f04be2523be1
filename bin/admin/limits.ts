/** Converts limits from flags to the API's format, and from there to text. */
import type { Limits, LimitsChange } from '../../shared/api/fields.ts';
import type { Row } from './output.ts';

type Flags = Readonly<{
  requestsPerMinute?: number | null | undefined;
  tokensPerMinute?: number | null | undefined;
  concurrentRequests?: number | null | undefined;
}>;

export function limitsOf(flags: Flags): LimitsChange {
  return {
    requests_per_minute: flags.requestsPerMinute,
    tokens_per_minute: flags.tokensPerMinute,
    concurrent_requests: flags.concurrentRequests,
  };
}

export function limitFields(limits: Limits): Row {
  const shown = (limit: number | null) => (limit === null ? 'default' : String(limit));
  return {
    'requests per minute': shown(limits.requests_per_minute),
    'tokens per minute': shown(limits.tokens_per_minute),
    'concurrent requests': shown(limits.concurrent_requests),
  };
}
