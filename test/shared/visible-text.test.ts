import { expect, test } from 'vitest';
import { Name } from '../../shared/api/fields.ts';
import { PartyName } from '../../shared/api/billing-details.ts';

const faultOf = (schema: typeof Name, text: string) =>
  schema.safeParse(text).error?.issues[0]?.message ?? null;

const INVISIBLE = 'Enter a name with at least one visible character.';
const MARKED = 'Enter at most 8 accents or invisible characters after each other.';

test.each([
  ['a Hangul filler', '\u3164'],
  ['fillers of half width and of syllables', '\uffa0\u115f\u1160'],
  ['a soft hyphen and a space of no width', '\u00ad\u200b'],
  ['joiners and word joiners', '\u200d\u2060\u200c'],
  ['a byte order mark between spaces', ' \ufeff\u00a0 '],
  ['a blank of Braille', '\u2800'],
  ['variation selectors and tags', '\ufe0f\u{e0041}'],
  ['marks of no letter', '\u0301\u0302'],
  ['a character of private use', '\ue000'],
  ['characters without meaning', '\ufffe\ufdd0\u0378'],
  ['a placeholder of an object', '\ufffc'],
  ['a null note head and blank hieroglyphs', '\u{1d159}\u{13441}\u{13442}'],
])('a name of nothing but %s is refused', (_what, text) => {
  expect(faultOf(Name, text)).toMatch(/^Enter a name/);
  expect(faultOf(Name, ` ${text}\u3164 `)).toBe(INVISIBLE);
  expect(faultOf(PartyName, `\u3164${text}`)).toBe(INVISIBLE);
});

test.each([
  'Ada Lovelace',
  '7',
  '-',
  '한글',
  'العربية',
  'क्षत्रिय',
  'Nguyễn'.normalize('NFD'),
  'שָׁלוֹם',
  'བསྒྲུབས',
  'กี่',
  '👩‍👩‍👧‍👦',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '❤️‍🔥 Café',
  'می‌خواهم',
])('a name that people have is taken: %s', (text) => {
  expect(faultOf(Name, text)).toBeNull();
});

test('a name may have some marks after each other, and not marks without end', () => {
  expect(faultOf(Name, `a${'\u0301'.repeat(8)}b`)).toBeNull();
  expect(faultOf(Name, `a${'\u0301'.repeat(9)}`)).toBe(MARKED);
  expect(faultOf(Name, `a${'\u0301\u200d'.repeat(5)}`)).toBe(MARKED);
});

test('a name that may be empty may be empty still, and one that may not is asked for', () => {
  expect(faultOf(PartyName, '')).toBeNull();
  expect(faultOf(Name, ' ')).toBe('Enter a name.');
});
