/** Every way in which clients join a base URL and a path. */
import { expect, test } from 'vitest';
import { isOfDataPlane } from '../../../router/request/routes.ts';
import { type Customer, MODEL } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const RICH = 10n ** 12n;

async function get({ value }: Pick<Customer, 'value'>, path: string, method = 'GET') {
  const headers = { authorization: `Bearer ${value}` };
  const response = await fetch(rig.origin + path, { method, headers });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

test('a model is found by its id, whether or not its slash is escaped', async () => {
  const customer = await rig.customer(RICH);
  const { body: listing } = await get(customer, '/v1/models');
  const listed = listing.data.find(({ id }: { id: string }) => id === MODEL);
  expect(listed).toMatchObject({ object: 'model', owned_by: 'qwen' });
  for (const id of [MODEL, encodeURIComponent(MODEL), `${MODEL}/`]) {
    expect(await get(customer, `/v1/models/${id}`)).toEqual({ status: 200, body: listed });
  }
});

test.each([
  ['no/such', 'The model "no/such" does not exist: see GET /v1/models.'],
  ['a%22b%0d%0ac', 'The model "a"b\r\nc" does not exist: see GET /v1/models.'],
  ['x'.repeat(1_000), 'No such model: see GET /v1/models.'],
])('an unknown model is named, unless its name is too long: %s', async (id, message) => {
  const { status, body } = await get(await rig.customer(RICH), `/v1/models/${id}`);
  expect([status, body.error.code, body.error.message]).toEqual([404, 'model_not_found', message]);
});

test('an id that is no text is a path that is not there, and a model needs a key', async () => {
  const escaped = await get(await rig.customer(RICH), '/v1/models/%ff');
  expect([escaped.status, escaped.body.error.code]).toEqual([404, 'not_found']);
  expect((await get({ value: 'nobody' }, `/v1/models/${MODEL}`)).status).toBe(401);
});

test.each(['/health', '/v1/health'])('%s needs no key', async (path) => {
  const response = await fetch(rig.origin + path);
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

test.each(['/v1/models/', '/v1//models', '//v1/models//', '/v1/models?x=1', '/v1/models/?x=//'])(
  'slashes too many change nothing: %s',
  async (path) => {
    expect((await get(await rig.customer(RICH), path)).status).toBe(200);
  },
);

test.each([
  ['POST', '/chat/completions', 'ends in /v1'],
  ['GET', '/models', 'ends in /v1'],
  ['GET', '/models/a/b', 'ends in /v1'],
  ['POST', '/v1/v1/chat/completions', 'ends in /v1'],
  ['GET', '/v1/chat/completions', '/v1/chat/completions takes POST.'],
  ['DELETE', '/v1/models/a/b', '/v1/models/{id} takes GET.'],
  ['POST', '/v1/embeddings', 'There is nothing here'],
  ['GET', '/v1', 'There is nothing here'],
])('a wrong path says which is right: %s %s', async (method, path, hint) => {
  const { status, body } = await get(await rig.customer(RICH), path, method);
  expect([status, body.error.code]).toEqual([404, 'not_found']);
  expect(body.error.message).toContain(hint);
});

test.each([
  ['POST', '/v1/v1/messages', 'The path is /v1/messages: clients of this API add /v1'],
  ['POST', '/v1/v1/messages/count_tokens', 'The path is /v1/messages/count_tokens: '],
  ['POST', '/messages', 'The path is /v1/messages: '],
  ['GET', '/v1/messages', '/v1/messages takes POST.'],
])('clients of Anthropic are told in their own format: %s %s', async (method, path, hint) => {
  const { status, body } = await get(await rig.customer(RICH), path, method);
  expect(status).toBe(404);
  expect(body).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
  expect(body.error.message).toContain(hint);
});

test.each([
  '/v1',
  '/v1/',
  '/v1?x',
  '/v1/x',
  '//v1/models',
  '/health',
  '/health/',
  '/completions',
  '/chat/completions?x=1',
  '/models',
  '/models/a/b',
])('the data plane answers %s', (url) => {
  expect(isOfDataPlane(url)).toBe(true);
});

test.each([
  '/',
  '/v10/models',
  '/v1x',
  '/healthz',
  '/api/v1/models',
  '/org_1/models',
  '/agent',
  '',
])('the data plane leaves %j to others', (url) => {
  expect(isOfDataPlane(url)).toBe(false);
});
