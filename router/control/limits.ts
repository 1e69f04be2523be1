/** Converts limits and caps between the forms of the management API, the ledger and the audit log. */
import type { Limits, LimitsChange } from '../../shared/api/fields.ts';
import type { PicoUsd } from '../../shared/money.ts';
import type { LimitsChange as StoredChange } from '../ledger/limits.ts';
import type { RateLimits } from '../ledger/terms.ts';
import { usdOrNull } from './api.ts';
import type { Details } from './audit/record.ts';

type CapsChange = Readonly<{
  monthly_cap?: PicoUsd | null | undefined;
  daily_cap?: PicoUsd | null | undefined;
}>;

export function shownLimits(limits: RateLimits): Limits {
  return {
    requests_per_minute: limits.requestsPerMinute,
    tokens_per_minute: limits.tokensPerMinute,
    concurrent_requests: limits.concurrentRequests,
  };
}

/** The limits that a change sets, as the audit log has them. */
export function limitDetails(change: LimitsChange | undefined): Details {
  const given = Object.entries(change ?? {});
  return Object.fromEntries(
    given.flatMap(([name, limit]) => (limit === undefined ? [] : [[name, limit]])),
  );
}

/** The caps of spend that a change sets (pico-USD), as the audit log has them. */
export function capDetails(change: CapsChange): Details {
  const given = Object.entries(change);
  return Object.fromEntries(
    given.flatMap(([name, cap]) => (cap === undefined ? [] : [[name, usdOrNull(cap)]])),
  );
}

export function limitsWanted(change: LimitsChange | undefined): StoredChange {
  return {
    requestsPerMinute: change?.requests_per_minute,
    tokensPerMinute: change?.tokens_per_minute,
    concurrentRequests: change?.concurrent_requests,
  };
}
