import { expect, test } from 'vitest';
import { CapReached } from '../../../../router/request/cap-reached.ts';
import { explanationOf } from '../../../../router/dashboard/pages/usage/explanations.ts';
import { RateLimited } from '../../../../router/request/limited.ts';
import { suspended } from '../../../../router/request/live.ts';
import { KEY_EXPIRED, Refusal } from '../../../../shared/refusals.ts';

const keyRefused = ({ code, message }: Refusal) =>
  explanationOf(code, { awaitsWelcome: false, message });

test('a refused key is explained by the cause that its message tells', () => {
  expect(keyRefused(new Refusal('invalid_api_key'))).toMatchObject({
    cause: 'The API key was revoked or deleted.',
    page: 'keys',
  });
  expect(keyRefused(new Refusal('invalid_api_key', { message: KEY_EXPIRED }))).toMatchObject({
    cause: 'The API key had expired.',
    page: 'keys',
  });
});

test('a limit that the message names is named with its owner', () => {
  const told = (of: 'key' | 'organization', most: number) =>
    explanationOf('rate_limited', {
      awaitsWelcome: false,
      message: new RateLimited({ limited: 'requests', reached: { of, most }, retryAfterMs: 1 })
        .message,
      keyName: 'batch-nightly',
    });
  expect(told('key', 1)).toMatchObject({
    cause: 'The API key "batch-nightly" is limited to 1 request per minute.',
    page: 'keys',
  });
  const ofAll = told('organization', 1_000);
  expect(ofAll?.cause).toBe(
    'The organization is limited to 1,000 requests per minute, for all keys together.',
  );
  expect(ofAll?.page).toBeUndefined();
});

test('a cap that the message names is named with its owner, and the page that raises it', () => {
  const told = (of: 'key' | 'member', unspent: bigint) =>
    explanationOf('key_limit_reached', {
      awaitsWelcome: false,
      message: new CapReached({ of, window: 'day', resets: 0, unspent, left: unspent }).message,
      keyName: 'batch-nightly',
    });
  for (const unspent of [0n, 5n]) {
    expect(told('key', unspent)).toMatchObject({
      cause:
        'The request could have cost more than what was left of the daily cap of the API key "batch-nightly".',
      page: 'keys',
    });
    expect(told('member', unspent)).toMatchObject({
      cause: expect.stringMatching(/ the member who created the API key "batch-nightly"\.$/),
      page: 'members',
    });
  }
  expect(
    explanationOf('key_limit_reached', { awaitsWelcome: false, message: null })?.cause,
  ).toMatch(/ a monthly or daily cap/);
});

test('a limit that the message does not name is explained in general', () => {
  const { message } = new RateLimited({ limited: 'waived', retryAfterMs: 1 });
  expect(explanationOf('rate_limited', { awaitsWelcome: false, message })?.cause).toMatch(
    /^The organization or the key sent more/,
  );
});

test('in a suspended organization, no new key is advised', () => {
  const explained = keyRefused(suspended());
  expect(explained?.cause).toMatch(/^The organization was suspended/);
  expect(explained?.cure).not.toContain('Create');
  expect(explained?.page).toBeUndefined();
});

test('a model with a longer context is advised only when there is one', () => {
  const cure = (hasLonger: boolean) =>
    explanationOf('context_length_exceeded', { awaitsWelcome: false, message: null, hasLonger });
  expect(cure(false)?.cure).not.toContain('longer context');
  expect(cure(true)).toMatchObject({
    cure: expect.stringContaining('a model with a longer context'),
    page: 'models',
  });
});
