import { expect, test } from 'vitest';
import type { LimitedBy } from '../../../router/ledger/terms.ts';
import { RateLimited } from '../../../router/request/limited.ts';

const told = (by: LimitedBy) => new RateLimited({ ...by, retryAfterMs: 900 }).message;

test('a refusal names the limit, its value and whose it is', () => {
  const [key, organization] = [
    { of: 'key', most: 1 },
    { of: 'organization', most: 6_000 },
  ] as const;
  expect(told({ limited: 'requests', reached: key })).toBe(
    'This API key is limited to 1 request per minute: slow down, then retry.',
  );
  expect(told({ limited: 'tokens', reached: organization })).toBe(
    'This organization is limited to 6,000 tokens per minute: slow down, then retry.',
  );
  expect(told({ limited: 'concurrency', reached: organization })).toBe(
    'This organization is limited to 6,000 requests at once: wait for one to end, then retry.',
  );
});

test('a refusal for waived work names no limit: it is that of the service', () => {
  expect(told({ limited: 'waived' })).toMatch(
    /^Too many requests were read .*: wait, then retry\.$/,
  );
});
