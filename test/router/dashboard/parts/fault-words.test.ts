/** What a field says of a value that the browser does not accept. */
import { expect, test } from 'vitest';
import { fullUrl, outOfRange } from '../../../../router/dashboard/parts/form/fault-words.ts';

test.each([
  ['date', 'min', '2026-11-30', 'Enter Nov 30, 2026 or a later day.'],
  ['date', 'max', '2026-12-02', 'Enter Dec 2, 2026 or an earlier day.'],
  ['datetime-local', 'max', '2026-11-30T08:30', 'Enter Nov 30, 2026, 8:30 AM or an earlier time.'],
  ['number', 'min', '1', 'Enter 1 or more.'],
] as const)('a %s beyond its %s of %s names the nearest value', (type, side, bound, said) => {
  // The space before AM depends on the version of Intl.
  expect(outOfRange(type, side, bound).replaceAll(/\s/g, ' ')).toBe(said);
});

test('a URL that is not whole gets the example that its field shows, or another', () => {
  expect(fullUrl('http://127.0.0.1:8000')).toBe('Enter a full URL, such as http://127.0.0.1:8000.');
  expect(fullUrl('')).toBe('Enter a full URL, such as https://example.com.');
});
