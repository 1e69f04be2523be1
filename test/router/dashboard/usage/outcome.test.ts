/** The outcome and the speed of a request. */
import { expect, test } from 'vitest';
import {
  cachedText,
  causeOf,
  explanationOfCut,
  isUncounted,
  outcomeOf,
  refusedAs,
  tokensPerSecond,
} from '../../../../router/dashboard/pages/usage/outcome.ts';
import {
  lookOf,
  OUTCOME_LOOKS,
  OUTCOMES,
} from '../../../../router/dashboard/pages/usage/outcome-looks.ts';

test('an answer says why it ended, a client that left says so, a failure names its error', () => {
  const answered = { status: 200, finish_reason: 'length', error: null };
  expect(outcomeOf(answered)).toEqual({ outcome: 'succeeded', text: 'Hit token limit' });
  expect(outcomeOf({ ...answered, status: 499, finish_reason: null })).toMatchObject({
    outcome: 'canceled',
    text: 'Canceled by client',
  });
  expect(outcomeOf({ status: 503, finish_reason: null, error: 'no_worker' })).toEqual({
    outcome: 'failed',
    text: '503 no_worker',
  });
});

test('a refusal is refused, even with the status and code of a request that failed', () => {
  const failed = { status: 402, finish_reason: null, error: 'insufficient_credit' };
  expect(outcomeOf(failed)).toEqual({ outcome: 'failed', text: '402 insufficient_credit' });
  expect(outcomeOf(refusedAs({ status: 402, code: 'insufficient_credit' }))).toEqual({
    outcome: 'refused',
    text: '402 insufficient_credit',
  });
});

test('each outcome has a colour of its own, and a badge of a tone of its own', () => {
  const looks = OUTCOMES.map((outcome) => OUTCOME_LOOKS[outcome]);
  for (const each of ['name', 'tone', 'colour'] as const) {
    expect(new Set(looks.map((look) => look[each])).size, each).toBe(OUTCOMES.length);
  }
});

test('a request that its engine refused looks like one that the router refused', () => {
  const { failed, refused, canceled, succeeded } = OUTCOME_LOOKS;
  expect(lookOf('failed', 400)).toBe(refused);
  expect(lookOf('failed', 503)).toBe(failed);
  expect(lookOf('refused', 503)).toBe(refused);
  expect(lookOf('canceled', 499)).toBe(canceled);
  expect(lookOf('succeeded', 200)).toBe(succeeded);
});

test('a failure has a cause in words, an answer and a client that left have none', () => {
  const failed = { status: 503, finish_reason: null, error: 'no_worker' };
  expect(causeOf(failed)).toBe('The model is unavailable: no GPU host serves it at the moment.');
  expect(causeOf({ ...failed, error: 'newer_than_this' })).toBe(null);
  expect(causeOf({ ...failed, status: 499 })).toBe(null);
  expect(causeOf({ status: 200, finish_reason: 'stop', error: null })).toBe(null);
});

test('a stream that failed before its end has no counts, unlike one that never began', () => {
  expect(isUncounted({ prompt_tokens: 0, ttft_ms: 19 })).toBe(true);
  expect(isUncounted({ prompt_tokens: 0, ttft_ms: null })).toBe(false);
  expect(isUncounted({ prompt_tokens: 22, ttft_ms: 19 })).toBe(false);
});

test('tokens per second are those after the first token, and none where they are not known', () => {
  const streamed = { completion_tokens: 101, ttft_ms: 500, duration_ms: 3_000 };
  expect(tokensPerSecond(streamed)).toBe(40);
  // Of so few tokens, or in so short a time, the rate would be chance.
  expect(tokensPerSecond({ ...streamed, completion_tokens: 10 })).toBe(null);
  expect(tokensPerSecond({ ...streamed, completion_tokens: 11 })).toBe(4);
  expect(tokensPerSecond({ ...streamed, duration_ms: 599 })).toBe(null);
  expect(tokensPerSecond({ ...streamed, ttft_ms: null })).toBe(null);
  expect(tokensPerSecond({ ...streamed, duration_ms: 500 })).toBe(null);
});

test('cached tokens are reported only by an engine that counted the prompt', () => {
  const reported = {
    prompt_tokens: 1_200,
    cached_tokens: 1_024,
    cached_source: 'reported' as const,
    ttft_ms: 19,
  };
  expect(cachedText(reported)).toBe('1,024, reported by the engine');
  expect(cachedText({ ...reported, cached_source: 'predicted' })).toBe(
    '1,024, predicted by the router',
  );
  const uncounted = { ...reported, prompt_tokens: 0, cached_tokens: 0 };
  expect(cachedText(uncounted)).toBe('Not reported');
  // No engine began a response.
  expect(cachedText({ ...uncounted, ttft_ms: null })).toBe('0');
});

test('a response that was cut without an error is explained, a complete or failed one is not', () => {
  const complete = {
    status: 200,
    finish_reason: 'stop',
    error: null,
    max_tokens: null,
    completion_tokens: 8,
    cost: '0.0001',
  };
  expect(explanationOfCut(complete)).toBe(null);
  expect(explanationOfCut({ ...complete, finish_reason: 'length' })?.cure).toContain(
    'Raise max_tokens',
  );
  const failed = { ...complete, status: 503, finish_reason: null, error: 'no_worker' };
  expect(explanationOfCut(failed)).toBe(null);
});

test('a response that was cut at the limit of its request is said to be so', () => {
  const cut = { status: 200, finish_reason: 'length', error: null, cost: '0.0001' };
  expect(explanationOfCut({ ...cut, max_tokens: 40, completion_tokens: 40 })?.cause).toBe(
    'The response was cut at 40 completion tokens: the limit that the request set with max_tokens.',
  );
  // Something else cut it before.
  for (const max_tokens of [41, null]) {
    const cause = explanationOfCut({ ...cut, max_tokens, completion_tokens: 40 })?.cause;
    expect(cause).toContain('the end of the credit');
  }
});

test('a request whose client left is explained as canceled, with what was charged', () => {
  const left = { status: 499, finish_reason: null, error: null, max_tokens: 40 };
  const causeAt = (cost: string) =>
    explanationOfCut({ ...left, completion_tokens: 8, cost })?.cause;
  expect(causeAt('0.0001')).toBe(
    'The client closed the connection before it had the whole response, so the request was canceled. The prompt, and what was generated until then, were charged.',
  );
  expect(causeAt('0')).toContain('so the request was canceled. Nothing was charged.');
});
