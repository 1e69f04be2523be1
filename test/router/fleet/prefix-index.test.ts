import { expect, test } from 'vitest';
import {
  cachedTokensMax,
  PrefixIndex,
  predictedTokens,
  prefixOf,
} from '../../../router/fleet/prefix-index.ts';

const TEXT = 'All of this is the same. '.repeat(1000);

test('the same prompt of the same organization is found whole, a longer one as far as it goes', () => {
  const index = new PrefixIndex();
  const prompt = prefixOf('model|salt', TEXT);
  expect(index.depth(prompt)).toBe(0);
  index.touch(prompt);
  expect(index.depth(prompt)).toBe(prompt.chunks.length);
  expect(index.depth(prefixOf('model|salt', `${TEXT}${TEXT}`))).toBe(prompt.chunks.length);
  expect(index.depth(prefixOf('model|salt', `X${TEXT}`))).toBe(1);
});

test('another salt or model shares nothing, not even the first chunk', () => {
  const index = new PrefixIndex();
  index.touch(prefixOf('model|salt', TEXT));
  expect(index.depth(prefixOf('model|other', TEXT))).toBe(0);
  expect(index.depth(prefixOf('other|salt', TEXT))).toBe(0);
});

test('what a worker never had under a salt it cannot report as cached', () => {
  expect(cachedTokensMax(0, 5_000)).toBe(0);
  expect(cachedTokensMax(1, 5_000)).toBe(1024);
  expect(cachedTokensMax(3, 100)).toBe(100);
});

test('a prediction never covers the whole prompt', () => {
  const prompt = prefixOf('s', 'a'.repeat(4096));
  expect(predictedTokens(prompt, prompt.chunks.length, 1000)).toBe(999);
  expect(predictedTokens(prompt, 1, 1000)).toBe(0);
  expect(predictedTokens(prompt, 3, 1000)).toBe(500);
});

test("memory is bounded, and a prompt's head outlives its tail", () => {
  const index = new PrefixIndex(10);
  const prompt = prefixOf('s', TEXT);
  index.touch(prompt);
  expect(index.size).toBe(10);
  expect(index.depth(prompt)).toBe(10);
});
