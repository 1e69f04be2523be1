import { expect, test } from 'vitest';
import { isExpectedHost } from '../../shared/host-names.ts';

test.each([
  undefined,
  '127.0.0.1:9464',
  '10.0.0.7:9464',
  '[::1]:9464',
  'localhost:9464',
  'LocalHost',
  'router-1.internal:9464',
  'router-1.internal.',
])('%s is answered', (host) => {
  expect(isExpectedHost(host, ['router-1.internal'])).toBe(true);
});

test.each([
  'evil.example:9464',
  'evil.example',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '',
])('%s is not answered', (host) => {
  expect(isExpectedHost(host, ['router-1.internal'])).toBe(false);
});
