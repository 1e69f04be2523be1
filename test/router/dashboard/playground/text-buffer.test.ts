import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BLOCK_CHARS_MAX,
  TextBuffer,
} from '../../../../router/dashboard/pages/playground/text-buffer.ts';

function written(pieces: readonly string[]): TextBuffer {
  const text = new TextBuffer();
  for (const piece of pieces) text.write(piece);
  return text;
}

test('whatever is written is there, in blocks that are bounded and break no character', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom('\n', ' ', '😀'.repeat(3_000), 'x'.repeat(20_000), 'a line\n'.repeat(900)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = written(pieces);
      expect(text.text).toBe(pieces.join(''));
      const whole = TextBuffer.of(text.text);
      expect(whole.text).toBe(text.text);
      for (const block of [text, whole].flatMap(({ closed, last }) => [...closed, last])) {
        expect(block.length).toBeLessThanOrEqual(BLOCK_CHARS_MAX);
        expect(block).toBe(block.toWellFormed());
      }
    }),
    { numRuns: 50 },
  );
});

test('a block ends with a line where there are lines, so that drawing it apart changes nothing', () => {
  const text = written(
    Array.from({ length: 2_000 }, (_, at) => `word${at}${at % 20 === 0 ? '\n' : ' '}`),
  );
  expect(text.closed.length).toBeGreaterThan(3);
  expect(text.closed.every((block) => block.endsWith('\n'))).toBe(true);
});

test('what is closed never changes, and the listener hears of every piece until it ends', () => {
  const text = new TextBuffer();
  let heard = 0;
  const end = text.listen(() => {
    heard += 1;
  });
  text.write('a line\n'.repeat(1_000));
  const first = text.closed[0];
  text.write('more');
  expect(text.closed[0]).toBe(first);
  expect(heard).toBe(2);
  end();
  text.write('unheard');
  expect(heard).toBe(2);
});
