/** Browser names, which tell a person's sessions apart. */
import { expect, test } from 'vitest';
import { clientName } from '../../../../router/dashboard/format/client.ts';

const LIKE_GECKO = '(KHTML, like Gecko)';

test.each([
  [
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 ${LIKE_GECKO} Chrome/140.0.0.0 Safari/537.36`,
    'Chrome on Linux',
  ],
  [
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 ${LIKE_GECKO} HeadlessChrome/140.0.0.0 Safari/537.36`,
    'Chrome on Linux',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ${LIKE_GECKO} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    'Edge on Windows',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 ${LIKE_GECKO} Version/18.5 Safari/605.1.15`,
    'Safari on macOS',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 ${LIKE_GECKO} Version/18.5 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 ${LIKE_GECKO} Chrome/140.0.0.0 Mobile Safari/537.36`,
    'Chrome on Android',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', 'Firefox on Linux'],
  ['curl/8.5.0', 'curl'],
])('%s is %s', (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name);
});

test('a client that is not known is shown as it calls itself, and never at any length', () => {
  expect(clientName('reporter/1.0')).toBe('reporter/1.0');
  expect(clientName('x'.repeat(500))).toHaveLength(61);
  expect(clientName('')).toBe('Unknown client');
});
