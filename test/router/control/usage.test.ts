import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock as clock } from '../../../shared/clock.ts';
import { type KeyId, mintId, parseApiKey } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { formatUsd, parseUsd, picoUsd } from '../../../shared/money.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { reservationOf } from '../../support/ledger-requests.ts';
import { PEPPER } from './rig.ts';
import { openServing, type Serving } from './serving.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

let serving: Serving;
let path: string;
beforeAll(async () => {
  path = `/api/v1/organizations/${rig.first.organization.id}`;
  serving = await openServing(rig);
});
afterAll(() => serving[Symbol.asyncDispose]());

const firstKey = () => parseApiKey(rig.first.apiKey) as KeyId;

test('a request is one object, its cost exact', async () => {
  const usage = await serving.serve(firstKey());
  const { body } = await rig.ask('GET', `${path}/usage?limit=1`);
  expect(body.data).toEqual([
    {
      request_id: usage.request,
      completion_id: usage.completionId,
      model: 'lab/model',
      key_id: usage.key,
      key_name: 'default',
      member_id: null,
      source: 'api',
      region: 'global',
      worker: 'agt_1/engine',
      prompt_tokens: 100,
      cached_tokens: 64,
      cached_source: 'reported',
      completion_tokens: 20,
      reasoning_tokens: 5,
      cost: '0.000000028864',
      ttft_ms: 12,
      duration_ms: 800,
      finish_reason: 'stop',
      status: 200,
      error: null,
      created: new Date(usage.created).toISOString(),
    },
  ]);
});

test('the credit lasts as long as the spend of today allows', async () => {
  const { body: before } = await rig.ask('GET', `${path}/credit`);
  await serving.serve(firstKey());
  const { status, body } = await rig.ask('GET', `${path}/credit/forecast`);
  expect(status).toBe(200);
  expect(body).toEqual({ days: expect.any(Number), rate_days: null });
  expect(body.days).toBeLessThan(Number(before.available) / 0.000000028864);
  const unknown = `/api/v1/organizations/${mintId('organization', clock, random)}`;
  expect((await rig.ask('GET', `${unknown}/credit/forecast`)).status).toBe(404);
});

test('what running requests hold is shown beside the balance', async () => {
  const { id: organization } = rig.first.organization;
  const request = mintId('request', clock, random);
  const before = (await rig.ask('GET', `${path}/credit`)).body;
  const found = await serving.ledger.findKey(digestSecret(PEPPER, rig.first.apiKey));
  await serving.ledger.reserve(
    reservationOf({
      request,
      organization,
      key: firstKey(),
      epoch: found?.epoch ?? -1n,
      amount: picoUsd(1_500_000_000_000n),
      price: serving.price.id,
    }),
  );
  const credit = (await rig.ask('GET', `${path}/credit`)).body;
  const { balance } = before;
  expect(credit).toMatchObject({
    balance,
    held: '1.5',
    available: formatUsd((parseUsd(balance) ?? 0n) - 1_500_000_000_000n),
  });
  const body = { amount: '-4', reason: 'more than is free' };
  expect((await rig.ask('POST', `${path}/credit/adjustments`, body)).status).toBe(409);
});

test('usage of a deleted key stays attributed to it by name', async () => {
  const { body: key } = await rig.ask('POST', `${path}/keys`, { name: 'batch job' });
  const { request } = await serving.serve(key.id);
  await rig.ask('DELETE', `${path}/keys/${key.id}`);
  const { body } = await rig.ask('GET', `${path}/usage?limit=1`);
  const entry = { request_id: request, key_id: key.id, key_name: 'batch job' };
  expect(body.data).toMatchObject([entry]);
});

test('260 requests are listed newest first, each once, while new ones come in', async () => {
  const served = await Promise.all(Array.from({ length: 260 }, () => serving.serve(firstKey())));
  const seen: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: string = after === '' ? '' : `&after=${after}`;
    const { body } = await rig.ask('GET', `${path}/usage?limit=75${query}`);
    seen.push(...body.data.map((entry: { request_id: string }) => entry.request_id));
    after = body.next;
    await serving.serve(firstKey());
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining(served.map(({ request }) => request)));
});

test('one request has its cost line by line, and what its cached tokens saved', async () => {
  const { request } = await serving.serve(firstKey());
  const { status, body } = await rig.ask('GET', `${path}/usage/${request}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    request_id: request,
    key_name: 'default',
    member_name: null,
    cost: '0.000000028864',
    cached_savings: formatUsd(64n * 299n),
    lines: [
      { kind: 'prompt', tokens: 36, unit_price: '0.0000000003', amount: formatUsd(10_800n) },
      { kind: 'cached', tokens: 64, unit_price: '0.000000000001', amount: formatUsd(64n) },
      { kind: 'completion', tokens: 20, unit_price: '0.0000000009', amount: formatUsd(18_000n) },
    ],
  });
  const transfers = (await rig.ask('GET', `${path}/transfers?limit=1`)).body.data;
  expect(transfers).toMatchObject([{ id: body.transfer_id, reference: request }]);
});

test('an operator finds a request by its id alone', async () => {
  const { request } = await serving.serve(firstKey());
  const { status, body } = await rig.ask('GET', `/api/v1/requests/${request}`);
  const { body: own } = await rig.ask('GET', `${path}/usage/${request}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ ...own, organization_id: rig.first.organization.id });
  const unknown = `/api/v1/requests/${mintId('request', clock, random)}`;
  expect((await rig.ask('GET', unknown)).status).toBe(404);
});

test('a request of another organization is as unknown as one that never was', async () => {
  const { request } = await serving.serve(firstKey());
  const { body: other } = await rig.ask('POST', '/api/v1/organizations', {
    name: 'Other',
    region: 'global',
  });
  const asked = [
    `/api/v1/organizations/${other.id}/usage/${request}`,
    `${path}/usage/${mintId('request', clock, random)}`,
    `${path}/usage/nonsense`,
  ];
  for (const one of asked) {
    const { status, body } = await rig.ask('GET', one);
    expect([status, body.error.code]).toEqual([404, 'not_found']);
  }
});

test('the list is narrowed to what is asked for', async () => {
  const { body: key } = await rig.ask('POST', `${path}/keys`, { name: 'narrow' });
  const day = 86_400_000;
  const serve = (more: object) => serving.serve(key.id, more);
  const long = await serve({ finishReason: 'length' });
  const cut = await serve({ status: 499, finishReason: null });
  const failed = await serve({ status: 429, error: 'rate_limited', finishReason: null });
  const played = await serve({ source: 'playground' });
  const old = await serve({ created: clock.now() - 3 * day });
  const list = async (query: string): Promise<string[]> => {
    const { body } = await rig.ask('GET', `${path}/usage?key=${key.id}&${query}`);
    return body.data.map((entry: { request_id: string }) => entry.request_id);
  };
  const instant = (ms: number) => new Date(ms).toISOString();
  expect(await list('finish_reason=length')).toEqual([long.request]);
  expect(await list('status=4xx')).toEqual([failed.request, cut.request]);
  expect(await list('status=canceled')).toEqual([cut.request]);
  expect(await list('status=failed')).toEqual([failed.request]);
  expect(await list('status=canceled&status=5xx')).toEqual([cut.request]);
  expect(await list('source=playground')).toEqual([played.request]);
  expect(await list(`end=${instant(clock.now() - day)}`)).toEqual([old.request]);
  expect(await list(`start=${instant(clock.now() - day)}`)).toEqual(
    [played, failed, cut, long].map(({ request }) => request),
  );
  expect(await list('model=lab/other')).toEqual([]);
  expect(await list('finish_reason=length&finish_reason=tool_calls&status=2xx&status=5xx')).toEqual(
    [long.request],
  );
  expect(await list('status=4xx&status=5xx&model=lab/other&model=lab/model')).toEqual([
    failed.request,
    cut.request,
  ]);
  expect((await rig.ask('GET', `${path}/usage?status=3xx`)).body.error.param).toBe('status');
});
