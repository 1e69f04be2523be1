import { expect, test } from 'vitest';
import { limitWords } from '../../../../router/dashboard/format/limit-words.ts';

test('each limit of a key is named in few words, and those that it does not have are left out', () => {
  const none = { requests_per_minute: null, tokens_per_minute: null, concurrent_requests: null };
  expect(limitWords(none)).toEqual([]);
  expect(limitWords({ ...none, requests_per_minute: 1 })).toEqual(['1 request/min']);
  expect(
    limitWords({ requests_per_minute: 60, tokens_per_minute: 1000, concurrent_requests: 2 }),
  ).toEqual(['60 requests/min', '1,000 tokens/min', '2 concurrent requests']);
});
