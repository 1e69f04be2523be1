/** The rate limits of a key, in words. */
import type { Limits } from '../../../shared/api/fields.ts';
import { shownCount } from './count.ts';

/** Each limit in few words, such as `1,000 tokens/min`. */
export function limitWords(limits: Limits): string[] {
  const { requests_per_minute, tokens_per_minute, concurrent_requests } = limits;
  return [
    ...countWords(requests_per_minute, 'request', 'requests', '/min'),
    ...countWords(tokens_per_minute, 'token', 'tokens', '/min'),
    ...countWords(concurrent_requests, 'concurrent request', 'concurrent requests'),
  ];
}

function countWords(count: number | null, one: string, many: string, per = ''): string[] {
  return count === null ? [] : [`${shownCount(count)} ${count === 1 ? one : many}${per}`];
}
