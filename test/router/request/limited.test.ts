import { expect, test } from 'vitest';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import { RateLimited } from '../../../router/request/limited.ts';

const FREE = UNLIMITED.key;
const at = (limit: number) => ({
  requests: { limit, remaining: 0, resetMs: 60_000 },
  tokens: null,
});

test('a refusal names the limit, its value and whose it is', () => {
  const limits = {
    organization: { ...FREE, requestsPerMinute: 6_000 },
    key: { ...FREE, requestsPerMinute: 1, concurrentRequests: 4 },
  };
  const told = (
    reached: Pick<ConstructorParameters<typeof RateLimited>[0], 'limited'>,
    limit = 1,
  ) => new RateLimited({ ...reached, retryAfterMs: 900, standings: at(limit), limits }).message;
  expect(told({ limited: 'requests' })).toBe(
    'This API key is limited to 1 request per minute: slow down, then retry.',
  );
  expect(told({ limited: 'requests' }, 6_000)).toBe(
    'This organization is limited to 6,000 requests per minute: slow down, then retry.',
  );
  expect(told({ limited: 'concurrency' })).toBe(
    'This API key is limited to 4 requests at once: wait for one to end, then retry.',
  );
});

test('a refusal does not guess whose limit it is', () => {
  const both = { ...FREE, concurrentRequests: 4 };
  const limits = { organization: both, key: both };
  const told = (limited: 'concurrency' | 'tokens') =>
    new RateLimited({ limited, retryAfterMs: 900, limits }).message;
  expect(told('concurrency')).toBe('Too many requests at once: wait for one to end, then retry.');
  expect(told('tokens')).toBe('Too many tokens a minute: slow down, then retry.');
});
