import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/durations.ts';
import { sumHostDays } from '../../../router/usage/host-report.ts';
import { type OpenLedger, openLedger } from '../../../router/ledger/ledger.ts';
import { createOrganization } from '../../../router/identity/organizations.ts';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import type { PriceVersion, Usage } from '../../../router/ledger/terms.ts';
import { systemClock } from '../../../shared/clock.ts';
import { type AgentId, mintId, type OrganizationId } from '../../../shared/ids.ts';
import { charge, formatUsd, parseUsd, picoUsd } from '../../../shared/money.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { reservationOf, usageOf } from '../../support/ledger-requests.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { log, type Rig, startRig } from './rig.ts';

const MODELS = ['lab/small', 'lab/large'] as const;
const FIRST_DAY = Date.UTC(2026, 0, 1);

/** The clock that dates requests. The ledger's own clock is the system's. */
let clock: ManualClock;
let rig: Rig;
let ledger: OpenLedger;
let prices: ReadonlyMap<string, PriceVersion>;
let agents: AgentId[];
let owners: OrganizationId[];
beforeAll(async () => {
  clock = new ManualClock(FIRST_DAY);
  rig = await startRig(clock);
  const parts = { store: rig.store, clock: systemClock, random, log };
  ledger = await openLedger(parts, { url: null, regions: ['global'] });
  const versions = await ensurePrices(
    parts,
    MODELS.map((model, i) => ({
      model,
      price: { prompt: picoUsd(BigInt(30 + i)), completion: picoUsd(97n), cached: picoUsd(7n) },
    })),
  );
  prices = new Map(versions.map((version) => [version.model, version]));
  owners = [rig.first.organization.id];
  owners.push((await createOrganization(parts, { name: 'Other', region: 'global' })).id);
});
afterAll(async () => {
  await ledger[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});
/** Each test has its own hosts, and days after those of the earlier tests. */
beforeEach(async () => {
  clock.advance(DAY_MS - ((clock.now() - FIRST_DAY) % DAY_MS));
  agents = [];
  for (const name of ['gpu-1', 'gpu-2']) {
    agents.push((await rig.ask('POST', '/api/v1/agents', { name })).body.id);
  }
});

type Plan = Readonly<{
  owner: number;
  agent: number;
  model: number;
  prompt: number;
  cached: number;
  completion: number;
  end: 'settled' | 'failed' | 'reversed';
  laterMs: number;
}>;

const plan: fc.Arbitrary<Plan> = fc.record({
  owner: fc.nat(1),
  agent: fc.nat(1),
  model: fc.nat(1),
  prompt: fc.integer({ min: 3, max: 400 }),
  cached: fc.nat(3),
  completion: fc.nat(300),
  end: fc.constantFrom('settled', 'settled', 'failed', 'reversed'),
  laterMs: fc.nat(DAY_MS / 2),
});

/** Serves one request from hold to its end, as the request path does. */
async function serve(planned: Plan): Promise<Usage> {
  const request = mintId('request', clock, random);
  const created = clock.now();
  const organization = owners[planned.owner] as OrganizationId;
  const price = prices.get(MODELS[planned.model] as string) as PriceVersion;
  const { prompt, cached, completion } = planned;
  const tokens = { prompt, cached, completion };
  const cost = charge(price.price, tokens);
  const of = { request, organization, price: price.id };
  const held = await ledger.reserve(reservationOf({ ...of, amount: cost }));
  expect(held).toHaveProperty('held');
  const where = { agent: agents[planned.agent] as AgentId, worker: 'engine' };
  const usage = usageOf({ ...of, ...where, model: price.model, created }, tokens);
  const failed = { ...usage, finishReason: null, status: 502, error: 'engine_failed' };
  const none = { promptTokens: 0, cachedTokens: 0, completionTokens: 0 };
  if (planned.end === 'failed') await ledger.void({ ...failed, ...none });
  else expect(await ledger.settle(usage, cost)).toEqual({ cost });
  if (planned.end === 'reversed') await ledger.void(failed);
  return usage;
}

// oxlint-disable-next-line typescript/no-explicit-any
type Entry = any;

async function report(path: string, query: Record<string, string>): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const asked = new URLSearchParams({ ...query, ...(after === '' ? {} : { after }) });
    const { status, body } = await rig.ask(
      'GET',
      `/api/v1/agents${path}/report?${asked.toString()}`,
    );
    expect(status).toBe(200);
    entries.push(...body.data);
    after = body.next;
  }
  return entries;
}

const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);

function revenueOf(entries: readonly Entry[]): bigint {
  return entries.reduce((sum, { revenue }) => sum + (parseUsd(revenue) as bigint), 0n);
}

/** The customers' charges less reversals, computed from the transfers alone. */
async function chargedBetween(from: number, until: number): Promise<bigint> {
  const rows = (await rig.place.sql(
    `select t.kind, t.amount from transfers t join usage u on u.request = t.reference
     where t.kind in ('usage', 'reversal') and u.created >= ${from} and u.created < ${until}`,
  )) as { kind: string; amount: bigint }[];
  return rows.reduce((sum, { kind, amount }) => sum + (kind === 'usage' ? amount : -amount), 0n);
}

test('the sum over all hosts is the sum of all charges, on every day and over all of them', async () => {
  const property = fc.asyncProperty(
    fc.array(plan, { minLength: 1, maxLength: 12 }),
    async (all) => {
      const from = clock.now();
      for (const planned of all) {
        await serve(planned);
        clock.advance(planned.laterMs);
      }
      clock.advance(DAY_MS - ((clock.now() - FIRST_DAY) % DAY_MS));
      const days = { from: dateOf(from), to: dateOf(clock.now()) };
      const entries = await report('', days);
      expect(revenueOf(entries)).toBe(await chargedBetween(from, clock.now()));
      for (let day = from; day < clock.now(); day += DAY_MS) {
        const ofDay = entries.filter((entry) => entry.day === dateOf(day));
        expect(revenueOf(ofDay)).toBe(await chargedBetween(day, day + DAY_MS));
      }
      const apart = [];
      for (const agent of agents) apart.push(...(await report(`/${agent}`, days)));
      const known = (entry: Entry) => JSON.stringify(entry);
      expect(apart.map(known).toSorted()).toEqual(entries.map(known).toSorted());
      const tokens = all.filter(({ end }) => end === 'settled');
      for (const kind of ['prompt', 'cached', 'completion'] as const) {
        const reported = entries.reduce((sum, entry) => sum + entry[`${kind}_tokens`], 0);
        expect(reported).toBe(tokens.reduce((sum, one) => sum + one[kind], 0));
      }
      expect(entries.reduce((sum, { requests }) => sum + requests, 0)).toBe(all.length);
      expect(entries.reduce((sum, { errors }) => sum + errors, 0)).toBe(all.length - tokens.length);
    },
  );
  await fc.assert(property, { numRuns: 12 });
});

test('a host is told its tokens, and nothing of who its customers are', async () => {
  const usage = await serve({ ...(fc.sample(plan, 1)[0] as Plan), agent: 0, end: 'settled' });
  const { body } = await rig.ask(
    'GET',
    `/api/v1/agents/${agents[0]}/report?from=${dateOf(usage.created)}`,
  );
  expect(body).toEqual({
    data: [
      {
        day: dateOf(usage.created),
        agent: agents[0],
        agent_name: 'gpu-1',
        model: usage.model,
        requests: 1,
        errors: 0,
        prompt_tokens: usage.promptTokens,
        cached_tokens: usage.cachedTokens,
        completion_tokens: usage.completionTokens,
        revenue: formatUsd(
          charge((prices.get(usage.model) as PriceVersion).price, {
            prompt: usage.promptTokens,
            cached: usage.cachedTokens,
            completion: usage.completionTokens,
          }),
        ),
      },
    ],
    has_more: false,
    next: null,
  });
  expect(JSON.stringify(body)).not.toMatch(/org_|key_|req_|mem_/);
});

test('the first and the last millisecond of a day belong to it', async () => {
  const one = { ...(fc.sample(plan, 1)[0] as Plan), agent: 0, end: 'settled' as const };
  const day = clock.now();
  await serve(one);
  clock.advance(DAY_MS - 1);
  await serve(one);
  clock.advance(1);
  await serve(one);
  const entries = await report(`/${agents[0]}`, { from: dateOf(day), to: dateOf(day + DAY_MS) });
  expect(entries.map(({ day: of, requests }) => [of, requests])).toEqual([
    [dateOf(day), 2],
    [dateOf(day + DAY_MS), 1],
  ]);
});

test('the sums of a whole period are those of its days, in one answer', async () => {
  const from = clock.now();
  for (const planned of fc.sample(plan, 9)) {
    await serve(planned);
    clock.advance(planned.laterMs);
  }
  const days = `from=${dateOf(from)}&to=${dateOf(clock.now())}`;
  const { body } = await rig.ask('GET', `/api/v1/agents/report?${days}&sum=period`);
  const entries = await report('', { from: dateOf(from), to: dateOf(clock.now()) });
  const byHost = Map.groupBy(entries, ({ agent, model }) => `${agent} ${model}`);
  expect(body).toMatchObject({ has_more: false, next: null });
  expect(body.data).toHaveLength(byHost.size);
  for (const sum of body.data as Entry[]) {
    const own = byHost.get(`${sum.agent} ${sum.model}`) ?? [];
    expect(parseUsd(sum.revenue)).toBe(revenueOf(own));
    expect(sum.requests).toBe(own.reduce((all, { requests }) => all + requests, 0));
    expect(sum.day).toBe(dateOf(from));
  }
});

test('slices of any size give the same sums', async () => {
  const day = clock.now();
  for (const planned of fc.sample(plan, 23)) {
    await serve(planned);
    clock.advance(planned.laterMs / 30);
  }
  const whole = await sumHostDays(rig.store, { agent: null, day });
  expect(whole.reduce((sum, { requests }) => sum + requests, 0)).toBe(23);
  for (const rows of [1, 2, 7, 22, 23, 24]) {
    expect(await sumHostDays(rig.store, { agent: null, day, rows })).toEqual(whole);
  }
});

test('revenue beyond 64 bits is summed exactly', async () => {
  const day = clock.now();
  const price = (prices.get(MODELS[0]) as PriceVersion).id;
  const cost = 4_000_000_000_000_000_001n;
  const rows = [1, 2, 3, 4].map(
    (i) =>
      `('${mintId('request', clock, random)}', 'org_rich', ${i}, 'key_1', 'api', 'chatcmpl', 'lab/small',
        'global', '${agents[0]}', '${price}', 7, 0, 'reported', 1, 0, 5, 200, ${cost}, 'settled', ${day})`,
  );
  await rig.place.sql(
    `insert into usage (request, organization, seq, key, source, completion_id, model, region, agent,
       price, prompt_tokens, cached_tokens, cached_source, completion_tokens, reasoning_tokens,
       duration_ms, status, cost, outcome, created) values ${rows.join(', ')}`,
  );
  const [sum] = await sumHostDays(rig.store, { agent: agents[0] as AgentId, day });
  expect(sum?.revenue).toBe(4n * cost);
  await rig.place.sql(`delete from usage where organization = 'org_rich'`);
});

test('a period that is none, and a host that is none, are refused by name', async () => {
  for (const query of [
    'from=yesterday',
    'to=2026-13-01',
    'from=2026-02-02&to=2026-02-01',
    'day=1',
  ]) {
    expect((await rig.ask('GET', `/api/v1/agents/report?${query}`)).status).toBe(400);
  }
  const long = await rig.ask('GET', '/api/v1/agents/report?from=2024-01-01&to=2026-01-01');
  expect([long.status, long.body.error.param]).toEqual([400, 'from']);
  const nobody = `agt_${'0'.repeat(26)}`;
  expect((await rig.ask('GET', `/api/v1/agents/${nobody}/report`)).status).toBe(404);
});

test('only an operator reads it', async () => {
  for (const authorization of ['', `Bearer ${rig.first.apiKey}`]) {
    const answer = await rig.ask('GET', '/api/v1/agents/report', undefined, { authorization });
    expect(answer.status).toBe(401);
  }
});
