import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cachedTokensMax,
  packChunks,
  predictedTokens,
  promptOf,
  unpackChunks,
} from '../../../router/routing/prompt.ts';

function alike(one: Uint32Array, other: Uint32Array): number {
  let chunks = 0;
  while (2 * chunks < one.length && one[2 * chunks] === other[2 * chunks]) chunks++;
  return chunks;
}

test('prompts share the chunks up to where they part, and none with another model or salt', () => {
  const text = 'All of this is the same. '.repeat(1000);
  const prompt = promptOf('model|salt', text);
  expect(prompt.chunks).toHaveLength(2 * 25);
  expect(alike(prompt.chunks, promptOf('model|salt', text + text).chunks)).toBe(25);
  const parting = `${text.slice(0, 5_000)}X${text.slice(5_001)}`;
  expect(alike(prompt.chunks, promptOf('model|salt', parting).chunks)).toBe(5);
  expect(alike(prompt.chunks, promptOf('model|other', text).chunks)).toBe(0);
  expect(alike(prompt.chunks, promptOf('other|salt', text).chunks)).toBe(0);
});

test('the hash of a whole prompt tells prompts with the same chunks apart', () => {
  const whole = (text: string, seed = 'model|salt') => promptOf(seed, text).whole;
  expect(whole('short')).toBe(whole('short'));
  expect(whole('short')).not.toBe(whole('shore'));
  expect(whole('short')).not.toBe(whole('short', 'model|other'));
  expect(whole('short')).not.toBe(promptOf('model|salt', 'short', '["low"]').whole);
  const chunks = 'x'.repeat(2_048);
  expect(whole(chunks)).not.toBe(whole(`${chunks}y`));
  // A prompt that is longer than what is indexed has no such hash.
  expect(whole('x'.repeat(4_096 * 1_024))).not.toBeNull();
  expect(whole('x'.repeat(4_097 * 1_024))).toBeNull();
});

test('a prediction never covers the whole prompt', () => {
  const prompt = promptOf('s', 'a'.repeat(4096));
  expect(predictedTokens(prompt, 5, 1000)).toBe(999);
  expect(predictedTokens(prompt, 1, 1000)).toBe(0);
  expect(predictedTokens(prompt, 3, 1000)).toBe(500);
});

test('what a worker never had under a salt it cannot report as cached', () => {
  expect(cachedTokensMax(0, 5_000)).toBe(0);
  expect(cachedTokensMax(1, 5_000)).toBe(1024);
  expect(cachedTokensMax(3, 100)).toBe(100);
});

test('chunks come over the link as they were, within what the link takes', () => {
  const prompt = promptOf('s', 'x'.repeat(10_000_000));
  const packed = packChunks(prompt);
  expect(packed.length).toBeLessThanOrEqual(65_536);
  expect(unpackChunks(packed).chunks).toEqual(prompt.chunks);
});

test('whatever comes as chunks is taken as whole chunks', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const { chunks } = unpackChunks(Buffer.from(bytes).toString('base64'));
      expect(chunks).toHaveLength(2 * Math.floor(bytes.length / 8));
    }),
  );
});
