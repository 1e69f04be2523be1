/** How a request ended, and how fast it was. */
import { expect, test } from 'vitest';
import { outcomeOf, tokensPerSecond } from '../../../../router/dashboard/pages/usage/outcome.ts';

test('an answer says why it ended, a client that left says so, a failure names its error', () => {
  const answered = { status: 200, finish_reason: 'length', error: null };
  expect(outcomeOf(answered)).toEqual({ tone: 'good', text: 'length' });
  expect(outcomeOf({ ...answered, status: 499, finish_reason: null })).toMatchObject({
    tone: 'warn',
    text: 'client left',
  });
  expect(outcomeOf({ status: 503, finish_reason: null, error: 'no_worker' })).toEqual({
    tone: 'bad',
    text: '503 no_worker',
  });
});

test('tokens per second are those after the first', () => {
  const timed = { completion_tokens: 101, ttft_ms: 500, duration_ms: 2_500 };
  expect(tokensPerSecond(timed)).toBe(50);
  expect(tokensPerSecond({ ...timed, ttft_ms: null })).toBe(null);
  expect(tokensPerSecond({ ...timed, completion_tokens: 1 })).toBe(null);
  expect(tokensPerSecond({ ...timed, duration_ms: 500 })).toBe(null);
});
