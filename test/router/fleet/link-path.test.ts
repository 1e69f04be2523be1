/** The paths that agents dial, one for each process of a router. */
import { expect, test } from 'vitest';
import { isLinkPath, linkUrlOf, misdirection } from '../../../router/fleet/link-path.ts';

test('a process has the URL of its router, with its own id', () => {
  expect(linkUrlOf('wss://router.example:443/agent', 12)).toBe(
    'wss://router.example/agent?process=12',
  );
  expect(linkUrlOf('ws://127.0.0.1:8080/agent', 1)).toBe('ws://127.0.0.1:8080/agent?process=1');
});

test('only the paths of the link are upgraded', () => {
  for (const path of ['/agent', '/agent?process=1', '/agent?process=999999999']) {
    expect(isLinkPath(path)).toBe(true);
  }
  for (const path of [
    '/',
    '/agent/',
    '/agents',
    '/agent?',
    '/agent?process=',
    '/agent?process=a',
    '/agent?process=1&process=2',
    '/agent?process=1234567890',
    '//agent',
  ]) {
    expect(isLinkPath(path)).toBe(false);
  }
});

test('a process takes agents that dial it or the whole router, and tells others where they are', () => {
  const second = { id: 2, isServing: (process: number) => process <= 3 };
  expect(misdirection(second, '/agent')).toBe(null);
  expect(misdirection(second, '/agent?process=2')).toBe(null);
  expect(misdirection(second, '/agent?process=1')).toBe(421);
  expect(misdirection(second, '/agent?process=3')).toBe(421);
  expect(misdirection(second, '/agent?process=4')).toBe(410);
  expect(misdirection(null, '/agent')).toBe(null);
  expect(misdirection(null, '/agent?process=1')).toBe(410);
});
