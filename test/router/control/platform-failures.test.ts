/** The list of failed requests of all organizations. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeRefusals } from '../../../router/usage/refusals/write.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { type KeyId, mintId, parseApiKey } from '../../../shared/ids.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { signIn } from './people.ts';
import { openServing, type Serving } from './serving.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const PATH = '/api/v1/platform/failures';

let serving: Serving;
let key: KeyId;
beforeAll(async () => {
  key = parseApiKey(rig.first.apiKey) as KeyId;
  serving = await openServing(rig);
});
afterAll(() => serving[Symbol.asyncDispose]());

test('the list has the admitted requests that failed with 5xx, the latest first, page by page', async () => {
  expect((await rig.ask('GET', PATH)).body).toEqual({ data: [], has_more: false, next: null });
  const failed = [];
  for (const model of ['lab/a', 'lab/b', 'lab/c']) {
    await serving.serve(key, { model });
    await serving.serve(key, { model, status: 400, error: 'invalid_value', finishReason: null });
    failed.push(
      await serving.serve(key, { model, status: 502, error: 'engine_failed', finishReason: null }),
    );
  }
  const first = await rig.ask('GET', `${PATH}?limit=2`);
  expect(first.body).toMatchObject({
    has_more: true,
    data: [
      {
        request_id: failed[2]?.request,
        organization: rig.first.organization.id,
        organization_name: rig.first.organization.name,
        model: 'lab/c',
        agent: 'agt_1',
        agent_name: null,
        status: 502,
        error: 'engine_failed',
        created: new Date(failed[2]?.created ?? 0).toISOString(),
      },
      { model: 'lab/b' },
    ],
  });
  const rest = await rig.ask('GET', `${PATH}?limit=2&after=${first.body.next}`);
  expect(rest.body).toMatchObject({ has_more: false, next: null, data: [{ model: 'lab/a' }] });
});

test('requests that were refused with 5xx are in the list among the others, by their time', async () => {
  const organization = rig.first.organization.id;
  const refuse = async (
    code: 'no_worker' | 'model_not_found',
    status: number,
    model: string | null,
  ) => {
    const request = mintId('request', clock, random);
    const created = clock.now();
    const details = { organization, key, region: 'global', endpoint: null, param: null } as const;
    const row = { ...details, request, model, message: 'No worker.', status, code, created };
    await rig.store.call(writeRefusals, { counts: [], details: [row] });
    return request;
  };
  const early = await refuse('no_worker', 503, 'lab/d');
  await refuse('model_not_found', 404, 'lab/none');
  const served = await serving.serve(key, {
    model: 'lab/e',
    status: 502,
    error: 'engine_failed',
    finishReason: null,
  });
  const late = await refuse('no_worker', 503, null);
  const first = (await rig.ask('GET', `${PATH}?limit=2`)).body;
  expect(first).toMatchObject({
    has_more: true,
    data: [
      { request_id: late, model: '', agent: null, status: 503, error: 'no_worker', refused: true },
      { request_id: served.request, model: 'lab/e', refused: false },
    ],
  });
  const rest = (await rig.ask('GET', `${PATH}?limit=2&after=${first.next}`)).body;
  expect(rest.data).toMatchObject([
    { request_id: early, organization_name: rig.first.organization.name, model: 'lab/d' },
    { model: 'lab/c' },
  ]);
});

test('only operators read it', async () => {
  const { ask } = await signIn(rig, { role: 'org-admin' });
  expect((await ask('GET', PATH)).status).toBe(403);
});
