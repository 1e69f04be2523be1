/** Which whole prompts an engine without a cache salt was sent before. */
import { expect, test } from 'vitest';
import { promptOf } from '../../../router/routing/prompt.ts';
import { PROMPTS_MAX, RepeatedPrompts } from '../../../router/routing/repeated-prompts.ts';

const prompt = (text: string) => promptOf('model|salt', text);

test('a prompt is repeated if the same start of an engine was sent all of it, for the same seed', () => {
  const repeated = new RepeatedPrompts();
  expect(repeated.sent('one boot-1', prompt('hello'))).toBe(false);
  expect(repeated.sent('one boot-1', prompt('hello'))).toBe(true);
  expect(repeated.sent('one boot-1', prompt('hello there'))).toBe(false);
  expect(repeated.sent('one boot-2', prompt('hello'))).toBe(false);
  expect(repeated.sent('two boot-1', prompt('hello'))).toBe(false);
  expect(repeated.sent('one boot-1', promptOf('model|other', 'hello'))).toBe(false);
});

test('a prompt that is too long for a hash of all its text is never taken for repeated', () => {
  const repeated = new RepeatedPrompts();
  const long = prompt('x'.repeat(4_097 * 1_024));
  expect(repeated.sent('one', long)).toBe(false);
  expect(repeated.sent('one', long)).toBe(false);
});

test('the newest prompts are remembered, as many as there is room for', () => {
  const repeated = new RepeatedPrompts();
  const nth = (number: number) => ({ ...prompt(''), whole: `${number}` });
  for (let number = 0; number <= PROMPTS_MAX; number++) repeated.sent('one', nth(number));
  expect(repeated.sent('one', nth(PROMPTS_MAX))).toBe(true);
  expect(repeated.sent('one', nth(0))).toBe(false);
});
