/** The outcome and the speed of a request. */
import { expect, test } from 'vitest';
import { outcomeOf, tokensPerSecond } from '../../../../router/dashboard/pages/usage/outcome.ts';

test('an answer says why it ended, a client that left says so, a failure names its error', () => {
  const answered = { status: 200, finish_reason: 'length', error: null };
  expect(outcomeOf(answered)).toEqual({ tone: 'neutral', text: 'length' });
  expect(outcomeOf({ ...answered, status: 499, finish_reason: null })).toMatchObject({
    tone: 'warn',
    text: 'canceled by client',
  });
  expect(outcomeOf({ status: 503, finish_reason: null, error: 'no_worker' })).toEqual({
    tone: 'bad',
    text: '503 no_worker',
  });
});

test('tokens per second are over the whole duration, and none where nothing came', () => {
  expect(tokensPerSecond({ completion_tokens: 100, duration_ms: 2_500 })).toBe(40);
  expect(tokensPerSecond({ completion_tokens: 0, duration_ms: 2_500 })).toBe(null);
  expect(tokensPerSecond({ completion_tokens: 1, duration_ms: 0 })).toBe(null);
});
