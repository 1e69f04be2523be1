import { expect, test } from 'vitest';
import type { LimitedBy } from '../../../router/ledger/terms.ts';
import { neverAllowed, RateLimited } from '../../../router/request/limited.ts';

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

test('a request that alone exceeds the tokens of a minute is refused for good', () => {
  const by = { limited: 'tokens', reached: { of: 'key', most: 1_000 } } as const;
  const refusal = neverAllowed(by, 2_500);
  expect(refusal).toMatchObject({
    status: 400,
    code: 'token_limit_exceeded',
    message:
      'This API key is limited to 1,000 tokens per minute, and this request alone is estimated at 2,500 by its size: send a shorter prompt.',
    retryAfterS: null,
  });
  // A request of just that many passes when nothing else was sent in a minute.
  expect(neverAllowed(by, 1_000)).toBeNull();
  expect(neverAllowed({ ...by, limited: 'requests' }, 2_500)).toBeNull();
});
