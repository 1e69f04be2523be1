/** Refused requests in the management API. */
import { beforeAll, expect, test } from 'vitest';
import { systemClock as clock } from '../../../shared/clock.ts';
import { type KeyId, mintId, type OrganizationId, parseApiKey } from '../../../shared/ids.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { REFUSALS, type RefusalCode } from '../../../shared/refusals.ts';
import { type ExportedPage, readExportPage } from '../../../router/control/export/read-page.ts';
import { RefusalRecorder } from '../../../router/usage/refusals/recorder.ts';
import type { RefusedRequest } from '../../../router/usage/refusals/write.ts';
import { log } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const MODEL = 'lab/model';
let path: string;
let organization: OrganizationId;
let key: KeyId;
const ids: string[] = [];

beforeAll(async () => {
  organization = rig.first.organization.id;
  path = `/api/v1/organizations/${organization}`;
  key = parseApiKey(rig.first.apiKey) as KeyId;
  await using recorder = new RefusalRecorder({ store: rig.store, clock, random, log });
  for (const [code, model] of [
    ['rate_limited', MODEL],
    ['rate_limited', MODEL],
    ['model_not_found', 'lab/none'],
    ['no_worker', MODEL],
  ] as const) {
    const refused = refusal(code, model);
    ids.unshift(refused.request);
    recorder.note(refused);
  }
});

function refusal(code: RefusalCode, model: string): RefusedRequest {
  const { message, status } = REFUSALS[code];
  const request = mintId('request', clock, random);
  const endpoint = '/v1/chat/completions';
  const what = { endpoint, model, param: null, message, status, code, created: clock.now() };
  return { request, organization, key, region: 'global', ...what };
}

async function listed(query: string): Promise<string[]> {
  const { status, body } = await rig.ask('GET', `${path}/refusals?${query}`);
  expect(status).toBe(200);
  return (body.data as { request_id: string }[]).map(({ request_id }) => request_id).toSorted();
}

test('refusals are listed in pages, newest first, and narrowed by each filter', async () => {
  const sorted = ids.toSorted().toReversed();
  const { body } = await rig.ask('GET', `${path}/refusals?limit=3`);
  expect(body.data.map((entry: { request_id: string }) => entry.request_id)).toEqual(
    sorted.slice(0, 3),
  );
  expect(body).toMatchObject({ has_more: true, next: sorted[2] });
  const next = await rig.ask('GET', `${path}/refusals?limit=3&after=${body.next}`);
  expect(next.body).toMatchObject({ data: [{ request_id: sorted[3] }], has_more: false });
  const [worker, model, ...limited] = ids;
  expect(await listed('status=5xx')).toEqual([worker]);
  expect(await listed('code=rate_limited')).toEqual(limited.toSorted());
  expect(await listed('model=lab/none')).toEqual([model]);
  expect(await listed(`key=${key}&status=4xx&code=no_worker`)).toEqual([]);
  expect(await listed('model=lab/none&model=lab/model')).toEqual(ids.toSorted());
  expect(await listed('code=no_worker&code=model_not_found&status=5xx&status=4xx')).toEqual(
    ids.slice(0, 2).toSorted(),
  );
  expect(await listed(`key=${key}&key=key_0123456789ab&status=5xx`)).toEqual([worker]);
  expect(await listed('start=2026-01-01&end=2026-01-02')).toEqual([]);
});

test('usage is narrowed by the error code, too', async () => {
  const { status, body } = await rig.ask('GET', `${path}/usage?code=engine_failed`);
  expect([status, body.data]).toEqual([200, []]);
});

test('the counts are by time, and by code or key', async () => {
  const { body } = await rig.ask('GET', `${path}/refusals/counts?group_by=code&bucket=minute`);
  expect(body).toMatchObject({ bucket: 'minute', group_by: 'code', total: 4 });
  expect(body.groups[0]).toEqual({ group: 'rate_limited', name: 'rate_limited', count: 2 });
  expect(body.groups).toHaveLength(3);
  const byKey = await rig.ask('GET', `${path}/refusals/counts?group_by=key&status=4xx`);
  expect(byKey.body.groups).toEqual([{ group: key, name: 'default', count: 3 }]);
  const none = await rig.ask('GET', `${path}/refusals/counts?status=4xx&code=no_worker`);
  expect(none.body.total).toBe(0);
  const some = await rig.ask('GET', `${path}/refusals/counts?code=no_worker&code=rate_limited`);
  expect(some.body.total).toBe(3);
  const wide = await rig.ask('GET', `${path}/refusals/counts?bucket=minute&start=2026-01-01`);
  expect(wide.status).toBe(400);
});

test('an export has each count once, however small its pages are', async () => {
  const query = { organization, part: 'refusal_count', until: clock.now() + 60_000, limit: 1 };
  const codes: string[] = [];
  let after: string | null = null;
  do {
    const page: ExportedPage = await rig.store.call(readExportPage, { ...query, after });
    codes.push(...page.rows.map((row) => String(row['code'])));
    after = page.next;
  } while (after !== null);
  expect(codes.toSorted()).toEqual(['model_not_found', 'no_worker', 'rate_limited']);
});

test('a refused request is found by its id, by its organization and by operators', async () => {
  const [request] = ids;
  const found = await rig.ask('GET', `${path}/requests/${request}`);
  expect(found.body).toEqual({
    usage: null,
    refusal: {
      request_id: request,
      key_id: key,
      key_name: 'default',
      region: 'global',
      endpoint: '/v1/chat/completions',
      model: MODEL,
      param: null,
      message: REFUSALS.no_worker.message,
      status: 503,
      code: 'no_worker',
      created: expect.any(String),
    },
  });
  const toOperator = await rig.ask('GET', `/api/v1/requests/${request}`);
  expect(toOperator.body).toMatchObject({ code: 'no_worker', organization_id: organization });
  const other = (await rig.ask('POST', '/api/v1/organizations', { name: 'Other' })).body.id;
  const foreign = `/api/v1/organizations/${other}/requests/${request}`;
  expect((await rig.ask('GET', foreign)).status).toBe(404);
});
