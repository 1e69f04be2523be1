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

test.each([
  ['postgres://penstock:pa55word@db:5432/x', 'postgres://…@db:5432/x'],
  ['smtps://me@example.com:pa55word@mail', 'smtps://…@mail'],
  ['https://user:with@pa55word@host/path', 'https://…@host/path'],
  ['postgres://db/x?password=pa55word&ssl=1', 'postgres://db/x?password=…&ssl=1'],
  ['authorization: bearer pa55word', 'authorization: bearer …'],
  ['%3Dpenstock-link-pa55word', '%3D…'],
  ['pi_12_secret_pa55word', '…'],
])('of %s an error shows %s', (text, shown) => {
  const { message } = logged(new Error(`cannot reach ${text}`));
  expect(message).toBe(`cannot reach ${shown}`);
});

test('of a long error the beginning is logged', () => {
  const error = logged(Object.assign(new Error('a'.repeat(1_000_000)), { stack: 'b'.repeat(1e6) }));
  expect(error).toEqual({
    type: 'Error',
    message: `${'a'.repeat(16_128)}…`,
    stack: `${'b'.repeat(16_128)}…`,
  });
});

test('a long error is not cut within a secret', () => {
  for (const secret of [
    'postgres://user:passphrase@host/db',
    'sk-0123456789abcdef',
    'pi_1_secret_2',
  ]) {
    for (let cut = 1; cut < secret.length; cut++) {
      const before = `${'a '.repeat(9_000).slice(0, 16_384 - cut - 1)} `;
      const { message } = logged(new Error(before + secret + ' b'.repeat(1_000)));
      expect(message).not.toMatch(/passphrase|user:|0123|secret_2|sk-|pass/);
    }
  }
});

test('an error without a proper message or name does not stop the log', () => {
  const error = Object.assign(new Error('x'), { message: 7, name: null, stack: 7 });
  expect(logged(error)).toEqual({ type: '', message: '' });
  expect(logged(Object.create(null))).toEqual({ type: 'object', message: '' });
});

test('an error that is its own cause, and what is no error, are logged too', () => {
  const error: Error & { cause?: unknown } = new Error('circular');
  error.cause = error;
  expect(JSON.stringify(logged(error)).match(/"circular"/g)).toHaveLength(6);
  expect(logged('a text')).toEqual({ type: 'string', message: 'a text' });
});
