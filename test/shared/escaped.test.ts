/** Text in the encoding that the link carries: the inside of one JSON string, and nothing else. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutEscaped, escaped, isEscaped } from '../../shared/wire/escaped.ts';

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', '"', '\\', '\n', '\0', '\u007f', '\u2028', '水', '\u{1f30a}', 'é'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 60,
});

function parsed(bytes: Uint8Array): string | null {
  try {
    const value: unknown = JSON.parse(
      `"${new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)}"`,
    );
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

test('any text goes in and comes out as it was, but for halves of characters', () => {
  fc.assert(
    fc.property(text, (given) => {
      const bytes = Buffer.from(escaped(given));
      expect(isEscaped(bytes)).toBe(true);
      expect(parsed(bytes)).toBe(given.toWellFormed());
    }),
  );
});

/** Returns whether only control characters are written as `\u` escapes. */
function isPlain(bytes: Uint8Array): boolean {
  const written = Buffer.from(bytes).toString('latin1').replaceAll('\\\\', '');
  const numbers = [...written.matchAll(/\\u([0-9a-f]{4})/gi)].map(([, hex]) => Number(`0x${hex}`));
  return numbers.every((number) => number < 0x20);
}

test('what passes is the inside of one JSON string, and what is one passes unless it has a character as a number', () => {
  const bytes = fc.array(
    fc.oneof(
      fc.constantFrom(...Buffer.from('\\\\\\u"/bfnrtdD89acAC0 \n{},:[]')),
      fc.integer({ min: 0, max: 255 }),
    ),
    { maxLength: 16 },
  );
  const pieces = fc.array(
    fc.constantFrom('\\u', 'd83d', 'DE00', 'dc00', '0041', '\\n', '\\', 'x', '"', '\\u12'),
    { maxLength: 6 },
  );
  const any = fc.oneof(
    bytes.map((list) => Buffer.from(list)),
    pieces.map((list) => Buffer.from(list.join(''))),
  );
  fc.assert(
    fc.property(any, (given) => {
      expect(isEscaped(given)).toBe(parsed(given) !== null && isPlain(given));
    }),
    { numRuns: 3_000 },
  );
});

const REFUSED: [what: string, bytes: Uint8Array][] = [
  ['a quote', Buffer.from('a"b')],
  ['the end of its string, and an event of its own', Buffer.from('"}}]}\n\ndata: [DONE]\n\n')],
  ['a line feed', Buffer.from('a\nb')],
  ['a NUL', Buffer.of(0)],
  ['an escape that does not exist', Buffer.from('\\x41')],
  ['a backslash at the end', Buffer.from('a\\')],
  ['an escape that is cut short', Buffer.from('\\u00')],
  ['digits that are none', Buffer.from('\\u00g0')],
  ['the first half of a pair', Buffer.from('\\ud83d')],
  ['the first half of a pair, and something else', Buffer.from('\\ud83d\\u0041')],
  ['a whole pair as two escapes', Buffer.from('\\ud83d\\ude00')],
  ['a letter as an escape', Buffer.from('\\u0041')],
  ['the second half of a pair', Buffer.from('\\ude00')],
  ['a character that is cut short', Buffer.from('水').subarray(0, 2)],
  ['the rest of a character', Buffer.from('水').subarray(1)],
  ['an overlong slash', Buffer.of(0xc0, 0xaf)],
  ['half a pair in UTF-8', Buffer.of(0xed, 0xa0, 0xbd)],
  ['a byte that UTF-8 does not have', Buffer.of(0xff)],
];
test.each(REFUSED)('%s is refused', (_what, bytes) => {
  expect(isEscaped(bytes)).toBe(false);
});

test('text is cut where both parts are text, as far on as that is possible', () => {
  fc.assert(
    fc.property(text, fc.nat(40), (given, most) => {
      const bytes = Buffer.from(escaped(given));
      const end = cutEscaped(bytes, most);
      expect(end).toBeLessThanOrEqual(most);
      expect(isEscaped(bytes.subarray(0, end)) && isEscaped(bytes.subarray(end))).toBe(true);
      // No unit that `escaped` writes is longer than a `\u` escape.
      if (end < bytes.length) expect(end).toBeGreaterThan(most - 6);
    }),
  );
  expect(cutEscaped(Buffer.from('ab\\u0000c'), 7)).toBe(2);
});
