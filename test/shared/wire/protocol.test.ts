/** Which version of the link's protocol a session uses. */
import { expect, test } from 'vitest';
import { chooseSubprotocol, noCommonVersion } from '../../../shared/wire/protocol.ts';

const choose = (offered: string, spoken: string) =>
  chooseSubprotocol(
    new Set(offered.split(',').map((version) => `penstock.${version}`)),
    spoken.split(',').map((version) => `penstock.${version}`),
  );

test('a session uses the newest version that both ends speak, in whatever order it is offered', () => {
  expect(choose('v4,v3,v2', 'v3,v2')).toBe('penstock.v3');
  expect(choose('v2,v3', 'v3,v2')).toBe('penstock.v3');
  expect(choose('v3,v2', 'v4,v3')).toBe('penstock.v3');
  expect(choose('v2', 'v3,v2')).toBe('penstock.v2');
});

test('without a common version the handshake succeeds, so that a reason can be given', () => {
  expect(choose('v5,v4', 'v3,v2')).toBe('penstock.v5');
  expect(chooseSubprotocol(new Set(['graphql-ws']), ['penstock.v2'])).toBe(false);
});

test('the reason names the versions of both ends and the older end, and fits a close frame', () => {
  expect(noCommonVersion('penstock.v5, penstock.v4', [3, 2])).toBe(
    'the router speaks protocol v3, v2, the agent v5, v4: update the router',
  );
  expect(noCommonVersion('penstock.v1', [3, 2])).toBe(
    'the router speaks protocol v3, v2, the agent v1: update the agent',
  );
  expect(noCommonVersion('', [2])).toBe(
    'the router speaks protocol v2, the agent none: update the agent',
  );
  const many = Array.from({ length: 40 }, (_, n) => `penstock.v${9_000 + n}`).join();
  expect(noCommonVersion(many, [3, 2]).length).toBeLessThan(120);
});
