/** Converts rate limits between the columns of the store and the ledger's types. */
import type { OrganizationRow } from '../store/schema/ledger.ts';
import type { RateLimits } from './terms.ts';

const COLUMNS = {
  requestsPerMinute: 'requests_per_minute',
  tokensPerMinute: 'tokens_per_minute',
  concurrentRequests: 'concurrent_requests',
} as const satisfies Record<keyof RateLimits, keyof OrganizationRow>;

/** Organizations and keys have the same three columns. */
export type LimitColumns = Pick<OrganizationRow, (typeof COLUMNS)[keyof RateLimits]>;

export function limitsOf(row: LimitColumns): RateLimits {
  const number = (value: bigint | null) => (value === null ? null : Number(value));
  return {
    requestsPerMinute: number(row.requests_per_minute),
    tokensPerMinute: number(row.tokens_per_minute),
    concurrentRequests: number(row.concurrent_requests),
  };
}

/** Returns the limits in force: those that are set, and the defaults where none is. */
export function limitsOver(defaults: RateLimits, set: RateLimits): RateLimits {
  return {
    requestsPerMinute: set.requestsPerMinute ?? defaults.requestsPerMinute,
    tokensPerMinute: set.tokensPerMinute ?? defaults.tokensPerMinute,
    concurrentRequests: set.concurrentRequests ?? defaults.concurrentRequests,
  };
}

/** Absent limits stay unchanged; null resets a limit to the router's default. */
export type LimitsChange = Readonly<{
  [Name in keyof RateLimits]?: RateLimits[Name] | undefined;
}>;

/** The columns that a change writes. */
export function limitColumns(change: LimitsChange): Partial<LimitColumns> {
  const columns: Partial<LimitColumns> = {};
  for (const [name, column] of Object.entries(COLUMNS)) {
    const value = change[name as keyof RateLimits];
    if (value !== undefined) columns[column] = value === null ? null : BigInt(value);
  }
  return columns;
}
