/** The pins of a router's configuration as the agent compares them with the router's key. */
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseAgentConfig } from '../../agent/config.ts';
import { loadTrust } from '../../agent/trust.ts';

const DIGEST = `${'A'.repeat(43)}=`;
const BEGINS_WITH_SLASH = `/${'A'.repeat(42)}=`;
const BEGINS_WITH_SLASHES = `//${'A'.repeat(41)}=`;

test.each([
  [`sha256//${DIGEST}`, DIGEST],
  [`sha256/${DIGEST}`, DIGEST],
  [`sha256//${BEGINS_WITH_SLASH}`, BEGINS_WITH_SLASH],
  [`sha256/${BEGINS_WITH_SLASH}`, BEGINS_WITH_SLASH],
  [`sha256//${BEGINS_WITH_SLASHES}`, BEGINS_WITH_SLASHES],
])('the pin %s is a key with the digest %s', async (pin, digest) => {
  const { routers } = parseAgentConfig(
    stringify({
      name: 'a',
      data: '/tmp/a',
      routers: [{ url: 'wss://router.lab/agent', pin }],
      engines: [{ name: 'engine', url: 'http://127.0.0.1:8000' }],
    }),
  );
  const [router] = routers;
  if (!router) throw new Error('the configuration has one router');
  expect((await loadTrust(router)).pins).toEqual(new Set([digest]));
});
