/** Which whole prompts an engine without a cache salt has answered. */
import { expect, test } from 'vitest';
import { type Prompt, promptOf } from '../../../router/routing/prompt.ts';
import { PROMPTS_MAX, RepeatedPrompts } from '../../../router/routing/repeated-prompts.ts';

const prompt = (text: string) => promptOf('model|salt', text);

/** Whether a prompt is repeated. It is answered at once. */
function isRepeated(repeated: RepeatedPrompts, engine: string, sent: Prompt): boolean {
  const history = repeated.lookUp(engine, sent);
  history.answered();
  return history.isRepeated;
}

test('a prompt is repeated if the same start of an engine has answered all of it, for the same seed', () => {
  const repeated = new RepeatedPrompts();
  expect(isRepeated(repeated, 'one boot-1', prompt('hello'))).toBe(false);
  expect(isRepeated(repeated, 'one boot-1', prompt('hello'))).toBe(true);
  expect(isRepeated(repeated, 'one boot-1', prompt('hello there'))).toBe(false);
  expect(isRepeated(repeated, 'one boot-2', prompt('hello'))).toBe(false);
  expect(isRepeated(repeated, 'two boot-1', prompt('hello'))).toBe(false);
  expect(isRepeated(repeated, 'one boot-1', promptOf('model|other', 'hello'))).toBe(false);
});

test('a prompt that waits for its answer makes no other one repeated', () => {
  const repeated = new RepeatedPrompts();
  const first = repeated.lookUp('one', prompt('hello'));
  expect(repeated.lookUp('one', prompt('hello')).isRepeated).toBe(false);
  first.answered();
  expect(repeated.lookUp('one', prompt('hello')).isRepeated).toBe(true);
});

test('a prompt that is too long for a hash of all its text is never taken for repeated', () => {
  const repeated = new RepeatedPrompts();
  const long = prompt('x'.repeat(4_097 * 1_024));
  expect(isRepeated(repeated, 'one', long)).toBe(false);
  expect(isRepeated(repeated, 'one', long)).toBe(false);
});

test('the newest prompts are remembered, as many as there is room for', () => {
  const repeated = new RepeatedPrompts();
  const nth = (number: number) => ({ ...prompt(''), whole: `${number}` });
  for (let number = 0; number <= PROMPTS_MAX; number++) isRepeated(repeated, 'one', nth(number));
  expect(isRepeated(repeated, 'one', nth(PROMPTS_MAX))).toBe(true);
  expect(isRepeated(repeated, 'one', nth(0))).toBe(false);
});
