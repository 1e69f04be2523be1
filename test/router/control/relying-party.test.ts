import { expect, test } from 'vitest';
import { relyingPartyOf } from '../../../router/control/passkeys/relying-party.ts';

test.each([
  [
    'https://console.example.com',
    { id: 'console.example.com', origin: 'https://console.example.com' },
  ],
  ['https://example.com:8443', { id: 'example.com', origin: 'https://example.com:8443' }],
  ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
  // The router's own listener on this machine.
  ['http://127.0.0.1:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
  ['http://[::1]:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
  // Browsers have no passkeys without TLS, or for an address.
  ['http://console.example.com', null],
  ['https://203.0.113.7', null],
  ['https://[2001:db8::1]', null],
  ['http://0.0.0.0:8080', null],
  ['', null],
])('the passkeys of %s', (dashboard, expected) => {
  expect(relyingPartyOf({ dashboard })).toEqual(expected);
});
