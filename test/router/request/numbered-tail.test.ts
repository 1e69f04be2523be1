/** The end of a numbered event, however its numbers follow each other. */
import { expect, test } from 'vitest';
import { NumberedTail } from '../../../router/request/answers/numbered-tail.ts';

test('every number is written as it is, in a row and after gaps', () => {
  const tail = new NumberedTail();
  const numbers = [
    ...Array.from({ length: 1_105 }, (_, index) => index),
    1_200,
    1_201,
    9_999,
    10_000,
  ];
  for (const number of numbers) {
    expect(tail.of(number).toString()).toBe(`","sequence_number":${number}}\n\n`);
  }
});
