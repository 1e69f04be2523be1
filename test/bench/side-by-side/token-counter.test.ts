import { expect, test } from 'vitest';
import { countTokens, TokenCounter } from './token-counter.ts';

const STREAM = 'data: {"a":" toka"}\n\n: a comment\n\ndata: {"a":" tokb tokc"}\n\ndata: [DONE]\n\n';

test('the tokens of a stream and its end are seen wherever the stream is split', () => {
  for (let at = 0; at <= STREAM.length; at++) {
    const counter = new TokenCounter();
    const tokens = counter.feed(STREAM.slice(0, at)) + counter.feed(STREAM.slice(at));
    expect({ at, tokens, total: counter.tokens, isDone: counter.isDone }).toEqual({
      at,
      tokens: 3,
      total: 3,
      isDone: true,
    });
  }
});

test('a token counts when its event is complete', () => {
  const counter = new TokenCounter();
  expect(counter.feed('data: {"a":" toka"}')).toBe(0);
  expect(counter.feed('\n')).toBe(1);
});

test('a stream without its end is not done, and an event that says an error is kept', () => {
  const counter = new TokenCounter();
  counter.feed('data: {"a":" toka"}\n\ndata: {"error":{"message":"gone"}}\n\n');
  expect(counter.isDone).toBe(false);
  expect(counter.failure).toBe('{"error":{"message":"gone"}}');
});

test('the tokens of a whole answer are counted', () => {
  expect(countTokens('{"content":" toka tokb tokc"}')).toBe(3);
});
