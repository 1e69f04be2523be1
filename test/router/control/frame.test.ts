/**
 * What all routes have in common: who may call, how errors are answered, and what unknown paths
 * answer.
 */
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { Callers } from '../../../router/request/authenticate.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { isRefusal } from '../../../shared/refusals.ts';
import { type Answer, PEPPER, startRig } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const FREE = { requestsPerMinute: null, tokensPerMinute: null, concurrentRequests: null };

/** Expects the common error format, with the same request id in the header and the body. */
function expectRefusal(answer: Answer, status: number, code: string, param: string | null = null) {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.body).toEqual({
    error: { message: expect.any(String), type: expect.any(String), param, code },
    request_id: expect.stringMatching(/^req_[0-9a-z]{26}$/),
  });
  expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id);
}

describe('health', () => {
  test('/healthz answers as long as the process does', async () => {
    const { status, body } = await rig.ask('GET', '/healthz', undefined, { authorization: '' });
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } });
  });

  test('/readyz says whether requests are served at the moment', async () => {
    expect((await rig.ask('GET', '/readyz')).status).toBe(200);
    rig.notReadyBecause = 'a test';
    expect((await rig.ask('GET', '/readyz')).status).toBe(503);
    rig.notReadyBecause = null;
  });
});

describe('nothing is there', () => {
  const nowhere: [method: string, path: string][] = [
    ['GET', '/api'],
    ['GET', '/api/v1'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v2/organizations'],
    ['PUT', '/api/v1/organizations'],
    ['DELETE', '/api/v1/organizations'],
    ['PATCH', '/api/v1/agents'],
    ['OPTIONS', '/api/v1/organizations'],
    ['POST', '/healthz'],
    ['PROPFIND', '/api/v1/organizations'],
    ['BREW', '/coffee'],
    ['GET', '/api/v1/organizations/%zz'],
    ['GET', `/api/v1/organizations/${'x'.repeat(2_000)}`],
    ['GET', '/api/v1/organizations/../../etc/passwd'],
  ];
  test.each(nowhere)('%s %s is a 404 in the one error shape', async (method, path) => {
    if (method !== 'BREW') return expectRefusal(await rig.ask(method, path), 404, 'not_found');
    // No client library sends a method that HTTP does not know. Node refuses to parse it.
    expect(await raw('BREW /coffee HTTP/1.1\r\nhost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('who may ask', () => {
  const organizations = '/api/v1/organizations';

  test('nobody without a token', async () => {
    const answer = await fetch(rig.origin + organizations);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: { code: 'not_signed_in' } });
  });

  test.each([
    ['an unknown token', `Bearer penstock-op-${'a'.repeat(40)}`],
    ['no token at all', 'Bearer '],
    ['another scheme', 'Basic b3BlcmF0b3I6cGFzc3dvcmQ='],
    ['far too long a token', `Bearer penstock-op-${'a'.repeat(4_000)}`],
  ])('nobody with %s', async (_what, authorization) => {
    const answer = await rig.ask('GET', organizations, undefined, { authorization });
    expectRefusal(answer, 401, 'invalid_token');
  });

  test('nobody with an API key or a join token: those open other doors', async () => {
    for (const secret of [rig.first.apiKey, rig.first.agent.joinToken]) {
      const authorization = `Bearer ${secret}`;
      const answer = await rig.ask('GET', organizations, undefined, { authorization });
      expectRefusal(answer, 401, 'invalid_token');
    }
  });

  test('an operator token opens nothing on the data plane', async () => {
    const callers = new Callers({
      findKey: () => Promise.reject(new Error('never looked up')),
      pepper: PEPPER,
      saltSecret: PEPPER.newest.secret,
      digestAgain: () => {},
      limits: () => ({ organization: FREE, key: FREE }),
      clock,
    });
    const { token } = rig.first.operator;
    const answer = await callers.authenticate(`Bearer ${token}`, 'global');
    callers.close();
    expect(isRefusal(answer) && answer.code).toBe('invalid_api_key');
  });

  test('an operator who is one no more gets a 403 that says so', async () => {
    await using own = await startRig();
    await own.place.sql('update people set operator = 0');
    expectRefusal(await own.ask('GET', organizations), 403, 'forbidden');
  });

  test('the scheme is written in any case', async () => {
    const authorization = `bearer ${rig.first.operator.token}`;
    expect((await rig.ask('GET', organizations, undefined, { authorization })).status).toBe(200);
  });
});

const post = (body: unknown, headers?: Record<string, string>) =>
  rig.ask('POST', '/api/v1/organizations', body, headers);

describe('a body', () => {
  test('that is no JSON, is empty, or is no object', async () => {
    for (const body of ['{', '', '[]', '"x"', 'null', '['.repeat(60_000)]) {
      expectRefusal(await post(body), 400, 'invalid_json');
    }
  });

  test('of another type', async () => {
    const body = 'name=Lab';
    expectRefusal(await post(body, { 'content-type': 'text/plain' }), 400, 'bad_request');
  });

  test('of more than 1 MiB', async () => {
    const body = { name: 'x'.repeat(1024 * 1024) };
    const answer = await post(body);
    expectRefusal(answer, 400, 'body_too_large');
    expect(answer.body.error.message).toContain('1 MiB');
  });

  test('with a field missing, wrong or unknown names the field', async () => {
    expectRefusal(await post({}), 400, 'missing_field', 'name');
    expectRefusal(await post({ name: 5 }), 400, 'invalid_value', 'name');
    expectRefusal(await post({ name: '  ' }), 400, 'invalid_value', 'name');
    expectRefusal(await post({ name: 'Lab', region: 'mars' }), 400, 'invalid_value', 'region');
    expectRefusal(await post({ name: 'Lab', plan: 'x' }), 400, 'unsupported_parameter', 'plan');
    const poisoned = '{"name":"Lab","__proto__":{"region":"eu"}}';
    expectRefusal(await post(poisoned), 400, 'unsupported_parameter', '__proto__');
  });
});

describe('a page', () => {
  test.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=many', 'limit'],
    ['limit=1.5', 'limit'],
    ['after=org_x', 'after'],
  ])('refuses ?%s', async (query, param) => {
    const answer = await rig.ask('GET', `/api/v1/organizations?${query}`);
    expectRefusal(answer, 400, 'invalid_value', param);
  });

  test('refuses a parameter that it does not know, so that a typing error is no first page', async () => {
    const answer = await rig.ask('GET', '/api/v1/organizations?afer=org_x');
    expectRefusal(answer, 400, 'unsupported_parameter', 'afer');
  });
});

test('a store that does not answer is a 503 that says when to come back', async () => {
  const own = await startRig();
  await own.store[Symbol.asyncDispose]();
  const answer = await own.ask('GET', '/api/v1/organizations');
  expectRefusal(answer, 503, 'store_unavailable');
  expect(answer.headers.get('retry-after')).toBe('1');
  await own[Symbol.asyncDispose]();
});

function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(rig.origin);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = new Socket();
    socket.on('data', (bytes) => {
      answer += bytes.toString();
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
    socket.connect(Number(port), hostname, () => socket.write(text));
  });
}
