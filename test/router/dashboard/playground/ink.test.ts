import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ink } from '../../../../router/dashboard/pages/playground/ink.ts';

const BLOCK_CHARS_MAX = 8_192;

function written(pieces: readonly string[]): Ink {
  const ink = new Ink();
  for (const piece of pieces) ink.write(piece);
  return ink;
}

test('whatever is written is there, in blocks that are bounded and break no character', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom('\n', ' ', '😀'.repeat(3_000), 'x'.repeat(20_000), 'a line\n'.repeat(900)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const ink = written(pieces);
      expect(ink.text).toBe(pieces.join(''));
      for (const block of [...ink.closed, ink.last]) {
        expect(block.length).toBeLessThanOrEqual(BLOCK_CHARS_MAX);
        expect(block).toBe(block.toWellFormed());
      }
    }),
    { numRuns: 50 },
  );
});

test('a block ends with a line where there are lines, so that drawing it apart changes nothing', () => {
  const ink = written(
    Array.from({ length: 2_000 }, (_, at) => `word${at}${at % 20 === 0 ? '\n' : ' '}`),
  );
  expect(ink.closed.length).toBeGreaterThan(3);
  expect(ink.closed.every((block) => block.endsWith('\n'))).toBe(true);
});

test('what is closed never changes, and the listener hears of every piece until it ends', () => {
  const ink = new Ink();
  let heard = 0;
  const end = ink.listen(() => {
    heard += 1;
  });
  ink.write('a line\n'.repeat(1_000));
  const first = ink.closed[0];
  ink.write('more');
  expect(ink.closed[0]).toBe(first);
  expect(heard).toBe(2);
  end();
  ink.write('unheard');
  expect(heard).toBe(2);
});
