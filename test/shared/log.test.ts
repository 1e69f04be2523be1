import { expect, test } from 'vitest';
import { mintApiKey, mintToken } from '../../shared/ids.ts';
import { makeLog } from '../../shared/log.ts';
import { seededRandom } from '../../shared/random.ts';

const random = seededRandom(1);

function logged(error: unknown): Record<string, unknown> {
  let line = '';
  const log = makeLog('test', 'info', { write: (text) => void (line = text) });
  log.error({ err: error, request: 'req_1' }, 'a request failed');
  const { err, request, msg } = JSON.parse(line) as Record<string, unknown>;
  expect({ request, msg }).toEqual({ request: 'req_1', msg: 'a request failed' });
  return err as Record<string, unknown>;
}

test('an error is logged with its type, code, stack and causes', () => {
  const cause = Object.assign(new RangeError('no room'), { code: 'ENOSPC' });
  const error = logged(new TypeError('cannot write', { cause }));
  expect(error).toMatchObject({ type: 'TypeError', message: 'cannot write' });
  expect(error['stack']).toContain('log.test.ts');
  expect(error['cause']).toMatchObject({ type: 'RangeError', message: 'no room', code: 'ENOSPC' });
});

test('the row of a database’s error and the request of a client’s error are not logged', () => {
  const error = new Error('duplicate key value violates unique constraint');
  Object.assign(error, { detail: 'Key (email)=(ada@example.com)', request: { prompt: 'hello' } });
  expect(Object.keys(logged(error))).toEqual(['type', 'message', 'stack']);
});

test.each([
  ['an API key', mintApiKey('test', random).value],
  ['a management token', mintToken('mgmt', random)],
  ['a join token', mintToken('join', random)],
  ['a Stripe key', 'sk_live_51abcdefgh'],
  ['a webhook secret', 'whsec_0123456789abcdef'],
])('%s in an error is not logged, nor in its stack or its cause', (_, secret) => {
  const cause = new Error(`refused: ${secret}`);
  const text = JSON.stringify(logged(new Error(`cannot send ${secret}.`, { cause })));
  expect(text).not.toContain(secret);
  expect(text).toContain('cannot send …');
});

test('credentials of a header and the password of a URL are not logged', () => {
  const error = new Error('postgres://penstock:pa55@db:5432/x refused, Bearer abc.def refused');
  const text = JSON.stringify(logged(error));
  expect(text).toContain('postgres://penstock:…@db:5432/x refused, Bearer … refused');
  expect(text).not.toContain('pa55');
});

test('an error that is its own cause, and what is no error, are logged too', () => {
  const error: Error & { cause?: unknown } = new Error('circular');
  error.cause = error;
  expect(JSON.stringify(logged(error)).match(/"circular"/g)).toHaveLength(6);
  expect(logged('a text')).toEqual({ type: 'string', message: 'a text' });
});
