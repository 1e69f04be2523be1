/** What a key may call that has a list of models. */
import { describe, expect, test } from 'vitest';
import { changeKey } from '../../../router/identity/keys.ts';
import { listRefusals } from '../../../router/usage/refusals/listings.ts';
import { limits } from '../../../shared/limits.ts';
import { APIS, SPEECH } from '../../support/apis.ts';
import { readStream } from '../../support/sse.ts';
import { setLimits } from '../ledger/set-organization.ts';
import { type Customer, MODEL, refusalOf, SEEING } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const RICH = 10n ** 15n;
const UNKNOWN = 'lab/none';
const NOT_ALLOWED = [403, 'model_not_allowed'];
const MESSAGE =
  `This API key may not use the model "${SEEING}". ` +
  'An administrator or a developer of the organization can change which models the key may use.';

function allow({ organization, key }: Customer, allowedModels: readonly string[] | null) {
  return rig.books.store.call(changeKey, { organization, key, allowedModels });
}

/** A customer whose key may call `MODEL`, and a model that is not in the catalog. */
async function limited(): Promise<Customer> {
  const customer = await rig.customer(RICH);
  await allow(customer, [MODEL, UNKNOWN]);
  return customer;
}

async function answered(customer: Customer, model: string): Promise<void> {
  const { stream, seen } = await rig.begin(customer, { model });
  stream.content(10, 1);
  stream.finish(10, 1);
  expect((await seen).done).toBe(true);
}

async function get({ value }: Customer, path: string) {
  const headers = { authorization: `Bearer ${value}` };
  const response = await fetch(rig.origin + path, { headers });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function refusals({ organization }: Customer) {
  await rig.ended();
  await rig.pass(1_000);
  await expect.poll(() => rig.refusals.size).toEqual({ cells: 0, details: 0 });
  const page = { organization, before: null, limit: 100 };
  return (await rig.books.store.call(listRefusals, page)).rows;
}

describe.each(APIS)('%s', (api) => {
  const { path, body } = SPEECH[api];

  test.each([true, false])(
    'another model is refused before anything is held: streamed %s',
    async (streamed) => {
      const customer = await limited();
      const asked = body({ model: SEEING, prompt: 'Hi.', maxTokens: 5, streamed });
      const response = await rig.post(customer, {}, { body: JSON.stringify(asked) }, `/v1${path}`);
      const text = await response.text();
      expect(response.status).toBe(403);
      expect(response.headers.get('x-should-retry')).toBe('false');
      expect(JSON.parse(text)).toMatchObject({
        error: { type: 'permission_error', message: MESSAGE },
        request_id: response.headers.get('x-request-id'),
      });
      expect(text).toContain('model_not_allowed');
      expect(await rig.rows(customer.organization)).toEqual([]);
      expect(await rig.balance(customer.organization)).toMatchObject({ balance: RICH, held: 0n });
      expect(await refusals(customer)).toEqual([
        expect.objectContaining({
          key: customer.key,
          model: SEEING,
          param: 'model',
          status: 403n,
          code: 'model_not_allowed',
          message: MESSAGE,
          endpoint: `/v1${path}`,
        }),
      ]);
    },
  );
});

test('a listed model is answered, an unknown one does not exist, and other keys are not limited', async () => {
  const customer = await limited();
  await answered(customer, MODEL);
  expect(await rig.refused(customer, { model: UNKNOWN })).toEqual([404, 'model_not_found']);
  expect(await rig.refused(customer, { model: SEEING })).toEqual(NOT_ALLOWED);
  await answered(await rig.keyOf(customer.organization), SEEING);
});

test('the tokens of a prompt are counted only for a listed model', async () => {
  const customer = await limited();
  const ask = (model: string) =>
    rig.post(
      customer,
      {},
      { body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi.' }] }) },
      '/v1/messages/count_tokens',
    );
  const refused = await ask(SEEING);
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    error: { message: MESSAGE, details: { error_code: 'model_not_allowed' } },
  });
  const counted = ask(MODEL);
  await rig.agent.gate.until(() => rig.agent.counts.length === 1);
  const [count] = rig.agent.counts;
  expect(count).toMatchObject({ model: MODEL });
  rig.agent.say({ type: 'counted', id: count?.id ?? '', prompt: 7, answer: null });
  expect(await (await counted).json()).toEqual({ input_tokens: 7 });
});

test('the models that the key may call are listed, in the order of the catalog', async () => {
  const customer = await rig.customer(RICH);
  const all = (await get(customer, '/v1/models')).body;
  const [first, second] = all.data;
  await allow(customer, [second.id, UNKNOWN, first.id]);
  expect(await get(customer, '/v1/models')).toEqual({
    status: 200,
    body: { object: 'list', data: [first, second] },
  });
  expect(await get(customer, `/v1/models/${first.id}`)).toEqual({ status: 200, body: first });
  const other = await get(customer, `/v1/models/${all.data[2].id}`);
  expect(other).toMatchObject({
    status: 403,
    body: { error: { code: 'model_not_allowed', param: 'model' } },
  });
  expect((await get(customer, `/v1/models/${UNKNOWN}`)).status).toBe(404);
  await allow(customer, [UNKNOWN]);
  expect((await get(customer, '/v1/models')).body).toEqual({ object: 'list', data: [] });
  await allow(customer, null);
  expect((await get(customer, '/v1/models')).body).toEqual(all);
});

test('a changed list applies to the next request, and what runs goes on', async () => {
  const customer = await rig.customer(RICH);
  const { stream, seen } = await rig.begin(customer, { model: SEEING });
  await allow(customer, [MODEL]);
  expect(await rig.refused(customer, { model: SEEING })).toEqual(NOT_ALLOWED);
  stream.content(10, 1);
  stream.finish(10, 1);
  expect((await seen).done).toBe(true);
  await allow(customer, [MODEL, SEEING]);
  await answered(customer, SEEING);
  await allow(customer, [MODEL]);
  expect(await rig.refused(customer, { model: SEEING })).toEqual(NOT_ALLOWED);
  await allow(customer, null);
  await answered(customer, SEEING);
});

test('MONEY 11: a list that another router has shortened applies although the key is cached here', async () => {
  const customer = await rig.customer(RICH);
  await answered(customer, SEEING);
  const { organization, key } = customer;
  // As another router writes it, and no announcement has arrived.
  await rig.books.sql(
    `UPDATE keys SET allowed_models = '${MODEL}' WHERE id = '${key}'`,
    `UPDATE accounts SET auth_epoch = auth_epoch + 1 WHERE id = '${organization}'`,
  );
  expect(await rig.refused(customer, { model: SEEING })).toEqual(NOT_ALLOWED);
  expect(await rig.balance(organization)).toMatchObject({ held: 0n });
  await answered(customer, MODEL);
});

test('requests for models that the key may not call count against the limit of a minute', async () => {
  const customer = await limited();
  const { organization } = customer;
  await rig.books.store.call(setLimits, { organization, limits: { requestsPerMinute: 1 } });
  expect(await rig.refused(customer, { model: SEEING })).toEqual(NOT_ALLOWED);
  expect(await rig.refused(customer, { model: SEEING })).toEqual(NOT_ALLOWED);
  const third = await readStream(await rig.post(customer, { model: SEEING }));
  expect(refusalOf(third)).toEqual([429, 'rate_limited']);
  await rig.pass(60_000);
  await answered(customer, MODEL);
});

test('the longest list is checked like a short one', async () => {
  const customer = await rig.customer(RICH);
  const long = Array.from({ length: limits.allowedModelsMax - 1 }, (_, nth) =>
    `lab/${nth}-`.padEnd(limits.modelIdCharsMax, 'x'),
  );
  await allow(customer, [...long, MODEL]);
  await answered(customer, MODEL);
  expect(await rig.refused(customer, { model: SEEING })).toEqual(NOT_ALLOWED);
});
