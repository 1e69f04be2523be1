/** The list of failed requests of all organizations. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KeyId, parseApiKey } from '../../../shared/ids.ts';
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

test('only operators read it', async () => {
  const { ask } = await signIn(rig, { role: 'org-admin' });
  expect((await ask('GET', PATH)).status).toBe(403);
});
