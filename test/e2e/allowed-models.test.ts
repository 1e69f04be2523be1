/** A key that may call only some models, as applications see it on a real `penstock up`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APIS, SPEECH } from '../support/apis.ts';
import { up } from '../support/shared-up.ts';
import { until } from '../support/up.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const OTHER = 'qwen/qwen3.5-397b-a17b';

type Customer = Readonly<{ id: string; key: string; keyId: string }>;
type Refusal = Readonly<{ request_id: string; code: string; model: string; status: number }>;

let customer: Customer;
beforeAll(async () => {
  customer = await up.customer('Picky');
  await allow(MODEL);
});
afterAll(async () => {
  const verified = await up.verify();
  expect(verified.status, verified.output).toBe(0);
});

function allow(...models: string[]) {
  const { id, keyId } = customer;
  return up.admin('key', 'limits', '--organization', id, '--key', keyId, '--models', ...models);
}

const headers = () => ({
  authorization: `Bearer ${customer.key}`,
  'content-type': 'application/json',
});

type Listing = Readonly<{ data: readonly { id: string }[]; error: { code: string } }>;

const get = async (path: string) => {
  const response = await fetch(`${up.ready.base_url}${path}`, { headers: headers() });
  return { status: response.status, body: (await response.json()) as Listing };
};

/** How many requests were answered or failed, and not refused. */
async function usage(): Promise<number> {
  const { data } = await up.api('GET', `/organizations/${customer.id}/usage?limit=100`);
  return data.length;
}

describe.each(APIS)('%s', (api) => {
  const { path, body } = SPEECH[api];
  const ask = async (model: string, streamed: boolean) => {
    const asked = body({ model, prompt: 'Say yes.', maxTokens: 5, streamed });
    const response = await up.post(path, asked, { headers: headers() });
    return { response, text: await response.text() };
  };

  test.each([false, true])(
    'the listed model is answered, another is a 403: streamed %s',
    async (streamed) => {
      const before = await usage();
      expect((await ask(MODEL, streamed)).response.status).toBe(200);
      const { response, text } = await ask(OTHER, streamed);
      expect(response.status).toBe(403);
      expect(response.headers.get('content-type')).toContain('application/json');
      expect(text).toContain('model_not_allowed');
      expect(text).toContain(`may not use the model \\"${OTHER}\\"`);
      expect((await ask('lab/none', streamed)).response.status).toBe(404);
      expect(await usage()).toBe(before + 1);
      const credit = await up.api('GET', `/organizations/${customer.id}/credit`);
      expect(credit).toMatchObject({ held: '0' });
      // The organization finds the refused request in its logs.
      const id = response.headers.get('x-request-id');
      await until(async () => {
        const { data } = await up.api('GET', `/organizations/${customer.id}/refusals?limit=100`);
        return (data as Refusal[]).some(
          (one) => one.request_id === id && one.code === 'model_not_allowed' && one.model === OTHER,
        );
      }, 'the refusal to be listed');
    },
  );
});

test('only what the key may call is listed, and a changed list applies to the next request', async () => {
  const ids = async () => (await get('/models')).body.data.map(({ id }) => id);
  expect(await ids()).toEqual([MODEL]);
  expect((await get(`/models/${OTHER}`)).body.error.code).toBe('model_not_allowed');
  await allow(OTHER);
  expect(await ids()).toEqual([OTHER]);
  expect((await get(`/models/${MODEL}`)).status).toBe(403);
  await allow('all');
  expect((await ids()).length).toBeGreaterThan(2);
  expect((await get(`/models/${MODEL}`)).status).toBe(200);
});
