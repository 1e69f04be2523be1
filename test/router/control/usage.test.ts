import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenLedger, openLedger } from '../../../router/ledger/ledger.ts';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import type { PriceVersion, Usage } from '../../../router/ledger/terms.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import {
  type AgentId,
  digestSecret,
  type KeyId,
  mintId,
  parseApiKey,
} from '../../../shared/ids.ts';
import { formatUsd, parseUsd, picoUsd } from '../../../shared/money.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { log, PEPPER, type Rig, startRig } from './rig.ts';

let rig: Rig;
let ledger: OpenLedger;
let price: PriceVersion;
let path: string;
beforeAll(async () => {
  rig = await startRig();
  path = `/api/v1/organizations/${rig.first.organization.id}`;
  const parts = { store: rig.store, clock, random, log };
  ledger = await openLedger(parts, { url: null, regions: ['global'] });
  const figures = { prompt: picoUsd(300n), completion: picoUsd(900n), cached: picoUsd(1n) };
  [price] = (await ensurePrices(parts, [{ model: 'lab/model', price: figures }])) as [PriceVersion];
});
afterAll(async () => {
  await ledger[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

/** One request from hold to charge, as the request path does it. */
async function serve(key: KeyId, more: Partial<Usage> = {}): Promise<Usage> {
  const request = mintId('request', clock, random);
  const { id: organization } = rig.first.organization;
  const found = await ledger.findKey(digestSecret(PEPPER, rig.first.apiKey));
  const amount = picoUsd(1_000_000n);
  const epoch = found?.epoch ?? -1n;
  const reservation = {
    request,
    organization,
    key,
    epoch,
    amount,
    price: price.id,
    limits: UNLIMITED,
    tokens: 0,
  };
  expect(await ledger.reserve({ ...reservation, slice: picoUsd(0n) })).toHaveProperty('held');
  const usage: Usage = {
    request,
    organization,
    key,
    member: null,
    source: 'api',
    completionId: `chatcmpl-${request}`,
    model: 'lab/model',
    region: 'global',
    agent: 'agt_1' as AgentId,
    worker: 'engine',
    price: price.id,
    promptTokens: 100,
    cachedTokens: 64,
    cachedSource: 'reported',
    completionTokens: 20,
    reasoningTokens: 5,
    ttftMs: 12,
    durationMs: 800,
    finishReason: 'stop',
    status: 200,
    error: null,
    created: clock.now(),
    ...more,
  };
  expect(await ledger.settle(usage, picoUsd(28_864n))).toMatchObject({ cost: 28_864n });
  return usage;
}

const firstKey = () => parseApiKey(rig.first.apiKey) as KeyId;

test('a request is one object, its cost exact', async () => {
  const usage = await serve(firstKey());
  const { body } = await rig.ask('GET', `${path}/usage?limit=1`);
  expect(body.data).toEqual([
    {
      request_id: usage.request,
      completion_id: usage.completionId,
      model: 'lab/model',
      key_id: usage.key,
      key_name: 'default',
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

test('what running requests hold is shown beside the balance', async () => {
  const { id: organization } = rig.first.organization;
  const request = mintId('request', clock, random);
  const before = (await rig.ask('GET', `${path}/credit`)).body;
  await ledger.reserve({
    limits: UNLIMITED,
    tokens: 0,
    request,
    organization,
    key: firstKey(),
    epoch: (await ledger.findKey(digestSecret(PEPPER, rig.first.apiKey)))?.epoch ?? -1n,
    amount: picoUsd(1_500_000_000_000n),
    slice: picoUsd(0n),
    price: price.id,
  });
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
  const { request } = await serve(key.id);
  await rig.ask('DELETE', `${path}/keys/${key.id}`);
  const { body } = await rig.ask('GET', `${path}/usage?limit=1`);
  const entry = { request_id: request, key_id: key.id, key_name: 'batch job' };
  expect(body.data).toMatchObject([entry]);
});

test('260 requests are listed newest first, each once, while new ones come in', async () => {
  const served = await Promise.all(Array.from({ length: 260 }, () => serve(firstKey())));
  const seen: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const query: string = after === '' ? '' : `&after=${after}`;
    const { body } = await rig.ask('GET', `${path}/usage?limit=75${query}`);
    seen.push(...body.data.map((entry: { request_id: string }) => entry.request_id));
    after = body.next;
    await serve(firstKey());
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining(served.map(({ request }) => request)));
});
