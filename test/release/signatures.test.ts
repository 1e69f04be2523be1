/** What `npm audit signatures` says decides whether a release is built. */
import { expect, test } from 'vitest';
import { resultOf } from '../../bin/release/signatures.ts';

test('a wrong or missing signature fails the release', () => {
  const wrong = JSON.stringify({ invalid: [{ name: 'a', version: '1.0.0' }], missing: [] });
  expect(() => resultOf(wrong, 1)).toThrow(/wrong or missing signature: a@1\.0\.0/);
  const missing = JSON.stringify({ invalid: [], missing: [{ name: 'b', version: '2.0.0' }] });
  expect(() => resultOf(missing, 1)).toThrow(/b@2\.0\.0/);
});

test('a registry that cannot be reached is reported', () => {
  const error = { code: 'ENOTFOUND', summary: 'request to https://example.com failed' };
  expect(resultOf(JSON.stringify({ error }), 1)).toMatch(/NOT VERIFIED: request to/);
});

test('another failure of npm fails the release', () => {
  const error = { code: 'EUSAGE', summary: 'found no installed dependencies to audit' };
  expect(() => resultOf(JSON.stringify({ error }), 1)).toThrow(/found no installed dependencies/);
  expect(() => resultOf('', 1)).toThrow(/status 1/);
});

test('good signatures are reported as well', () => {
  expect(resultOf(JSON.stringify({ invalid: [], missing: [] }), 0)).toMatch(/were verified/);
});
