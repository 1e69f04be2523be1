/** How much of a long message is shown at first. */
import { expect, test } from 'vitest';
import {
  endOfFirstPart,
  FIRST_CHARS,
  FIRST_LINES,
} from '../../../../router/dashboard/pages/playground/first-part.ts';

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n');

test.each([
  ['nothing', ''],
  ['a short text', 'Hello'],
  ['as much as the first part', 'x'.repeat(FIRST_CHARS)],
  ['as many lines as the first part', lines(FIRST_LINES)],
  ['a little more than the first part', 'x'.repeat(FIRST_CHARS + 500)],
  ['some more lines than the first part', lines(FIRST_LINES + 5)],
])('%s is shown as a whole', (_name, text) => {
  expect(endOfFirstPart(text)).toBeNull();
});

test('of a long text without a space, as many characters as allowed are shown', () => {
  expect(endOfFirstPart('x'.repeat(1_200_000))).toBe(FIRST_CHARS);
});

test('of many short lines, as many lines as allowed are shown, without a last break', () => {
  const text = lines(10_000);
  const end = endOfFirstPart(text) ?? 0;
  expect(text.slice(0, end)).toBe(lines(FIRST_LINES));
});

test('no character is cut in two', () => {
  const text = `${'x'.repeat(FIRST_CHARS - 1)}${'😀'.repeat(5_000)}`;
  expect(endOfFirstPart(text)).toBe(FIRST_CHARS - 1);
});
