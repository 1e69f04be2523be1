/** What every inference API refuses, with the same status and code, on a real `penstock up`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APIS, SPEECH } from '../support/apis.ts';
import { up } from '../support/shared-up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const PLAIN = { model: MODEL, prompt: 'Say yes.', maxTokens: 5, streamed: false };

type Told = Readonly<{ status: number; code: string; param: string | null; message: string }>;

/** The error in either of the two shapes. The Messages API has no place for a field but its message. */
async function refused(asked: Response | Promise<Response>): Promise<Told> {
  const response = await asked;
  const text = await response.text();
  const { error, request_id: id } = JSON.parse(text) as {
    error: {
      message: string;
      param?: string | null;
      code?: string;
      details?: { error_code: string };
    };
    request_id: string;
  };
  expect(id, text).toMatch(/^req_/);
  expect(response.headers.get('x-request-id')).toBe(id);
  const code = error.code ?? error.details?.error_code ?? text;
  const { param = null, message } = error;
  return { status: response.status, code, param, message };
}

let american: string;
let broke: string;
beforeAll(async () => {
  ({ key: american } = await up.customer('American', '--region', 'us'));
  const { id, key } = await up.customer('Broke');
  await up.admin('credit', 'adjust', '--organization', id, '--amount', '-5', '--reason', 'test');
  broke = key;
});
afterAll(async () => {
  const verified = await up.verify();
  expect(verified.status, verified.output).toBe(0);
});

describe.each(APIS)('%s', (api) => {
  const { path, body } = SPEECH[api];
  const ask = (fields: object | string, init: RequestInit = {}) =>
    up.post(path, typeof fields === 'string' ? fields : { ...body(PLAIN), ...fields }, init);
  const withKey = (authorization: string | null): RequestInit => ({
    headers: {
      'content-type': 'application/json',
      ...(authorization !== null && { authorization }),
    },
  });

  test.each([
    ['an empty body', ''],
    ['broken JSON', '{"model":'],
    ['an array', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['60,000 levels', `{"model":${'['.repeat(60_000)}${']'.repeat(60_000)}}`],
    ['200 levels in a tool schema', `{"tools":${'[{"a":'.repeat(100)}1${'}]'.repeat(100)}}`],
  ])('%s is a 400', async (_what, text) => {
    expect(await refused(ask(text))).toMatchObject({ status: 400, code: 'invalid_json' });
  });

  test('a body over 32 MiB is refused, and says so', async () => {
    const status = api === 'messages' ? 413 : 400;
    const told = await refused(ask(`{"model":"${'x'.repeat(33 * 1024 * 1024)}"}`));
    expect(told).toMatchObject({ status, code: 'body_too_large' });
  });

  test('an unknown model is a 404 that names the field', async () => {
    const told = await refused(ask({ model: 'no/such' }));
    expect(told).toMatchObject({ status: 404, code: 'model_not_found' });
    if (api !== 'messages') expect(told.param).toBe('model');
  });

  test.each<[field: string, value: unknown]>([
    ['temperature', 2.1],
    ['temperature', 'warm'],
    ['top_p', 1.5],
    ['stream', 'yes'],
    [api === 'responses' ? 'max_output_tokens' : 'max_tokens', -1],
    [api === 'responses' ? 'max_output_tokens' : 'max_tokens', 1.5],
    ['reasoning_effort', 'high'],
    ['chat_template_kwargs.enable_thinking', { enable_thinking: false }],
  ])('a wrong %s, %j, is a 400 that names it', async (field, value) => {
    const told = await refused(ask({ [field.split('.')[0] as string]: value }));
    expect(told.status).toBe(400);
    if (api === 'messages') expect(told.message).toContain(field);
    else expect(told.param).toBe(field);
  });

  test('a prompt and an answer that do not fit are a 400 before the first byte', async () => {
    // Far below the limit on bytes, so only the engine knows that they do not fit.
    const prompt = 'word '.repeat(250_000);
    const asked = { ...PLAIN, prompt, maxTokens: 65_000, streamed: true };
    const told = await refused(ask(JSON.stringify(body(asked))));
    expect(told).toMatchObject({ status: 400, code: 'context_length_exceeded' });
  });

  test.each([
    ['no key', null],
    ['another scheme', 'Basic abc'],
    ['rubbish', 'Bearer sk-rubbish'],
    ['a wrong checksum', `Bearer sk-penstock-infapi-${'A'.repeat(46)}`],
    ['a space in the key', 'Bearer sk-penstock infapi'],
    ['an operator token', 'operator'],
  ])('%s is a 401, whatever the body is', async (_what, key) => {
    const operator = `Bearer ${up.first.operator.token}`;
    const told = await refused(ask('{', withKey(key === 'operator' ? operator : key)));
    expect(told.status).toBe(401);
    expect(told.message).not.toContain(up.first.operator.token);
  });

  test("a regional organization's key is a 401 that names its region", async () => {
    const told = await refused(ask({}, withKey(`Bearer ${american}`)));
    expect(told).toMatchObject({ status: 401, code: 'wrong_region' });
    expect(told.message).toContain('region us');
  });

  test('without credit it is a 402', async () => {
    const told = await refused(ask({}, withKey(`Bearer ${broke}`)));
    expect(told).toMatchObject({ status: 402, code: 'insufficient_credit' });
  });

  test.each(['GET', 'PUT', 'DELETE'])('%s is a 404', async (method) => {
    const response = fetch(up.ready.base_url + path, {
      method,
      ...withKey(`Bearer ${up.first.api_key}`),
    });
    expect(await refused(response)).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('after all of this, a good request is served', async () => {
    const response = await ask({});
    expect(response.status, await response.text()).toBe(200);
  });
});
