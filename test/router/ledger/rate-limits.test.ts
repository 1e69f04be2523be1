import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type OpenLedger, openLedger } from '../../../router/ledger/ledger.ts';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import type { Limits, RateLimits, Reservation } from '../../../router/ledger/terms.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { Store } from '../../../router/store/store.ts';
import { DIALECT } from '../../support/store.ts';
import { REGISTRY, Rig } from './rig.ts';

let rig: Rig;
/** Three routers, each with its own store if the database allows more than one. */
let routers: OpenLedger[];
const undo = new AsyncDisposableStack();
beforeAll(async () => {
  rig = await Rig.start();
  routers = [rig.ledger];
  for (let router = 2; router <= 3; router++) {
    const store = DIALECT === 'sqlite' ? rig.store : await anotherStore();
    const config = { url: null, regions: ['global'] } as const;
    routers.push(undo.use(await openLedger({ ...rig.parts, store }, config)));
  }
});
afterEach(() => rig.check());
afterAll(async () => {
  await undo.disposeAsync();
  await rig[Symbol.asyncDispose]();
});

async function anotherStore(): Promise<Store> {
  return undo.use(await openStore({ url: rig.place.url, registry: REGISTRY }, rig));
}

const none = UNLIMITED.key;
function limited(organization: Partial<RateLimits>, key: Partial<RateLimits> = {}): Limits {
  return {
    organization: { ...none, ...organization },
    key: { ...none, ...key },
    monthlyCap: null,
    dailyCap: null,
  };
}

/** Sends the reservations to the routers in turn, and returns each answer in one word. */
async function ask(reservations: readonly Reservation[]): Promise<string[]> {
  const asked = reservations.map(async (reservation, index) => {
    const answer = await (routers[index % 3] as OpenLedger).reserve(reservation);
    if (typeof answer === 'string') return answer;
    if ('capped' in answer) return 'capped';
    return 'limited' in answer ? answer.limited : 'held';
  });
  return await Promise.all(asked);
}

function count(answers: readonly string[], word: string): number {
  return answers.filter((answer) => answer === word).length;
}

test('requests a minute are admitted up to the limit, by three routers together', async () => {
  const organization = await rig.organization(1_000_000n);
  const limits = limited({ requestsPerMinute: 20 });
  const some = () =>
    Array.from({ length: 30 }, () => rig.reservation(organization, 1n, { limits }));
  const first = await ask(some());
  expect([count(first, 'held'), count(first, 'requests')]).toEqual([20, 10]);
  const [one] = some();
  expect(await rig.ledger.reserve(one as Reservation)).toMatchObject({
    limited: 'requests',
    reached: { of: 'organization', most: 20 },
    retryAfterMs: expect.any(Number),
    standings: { requests: { limit: 20, remaining: 0 }, tokens: null },
  });
  await rig.pass(61_000, ...routers);
  const second = await ask(some());
  expect([count(second, 'held'), count(second, 'requests')]).toEqual([20, 10]);
});

test('600 a minute, asked for without a pause over three routers: 600 ± 5 % in any sixty seconds', {
  timeout: 120_000,
}, async () => {
  const organization = await rig.organization(10_000_000n);
  const limits = limited({ requestsPerMinute: 600 });
  const admitted: number[] = [];
  for (let tick = 0; tick < 300; tick++) {
    const now = rig.clock.now();
    const burst = Array.from({ length: 15 }, () => rig.reservation(organization, 1n, { limits }));
    const answers = await ask(burst);
    for (const [index, answer] of answers.entries()) {
      if (answer !== 'held') continue;
      admitted.push(now);
      const { request } = burst[index] as Reservation;
      await rig.void(organization, request, routers[index % 3]);
    }
    await rig.pass(500, ...routers);
  }
  const first = admitted[0] as number;
  for (let from = first; from <= first + 90_000; from += 500) {
    const within = admitted.filter((at) => at >= from && at < from + 60_000).length;
    expect(within).toBeGreaterThanOrEqual(570);
    expect(within).toBeLessThanOrEqual(630);
  }
});

test("a key's limit stops the key and not its organization", async () => {
  const organization = await rig.organization(1_000_000n);
  const [slow, other] = [await rig.key(organization, 'slow'), await rig.key(organization, 'other')];
  const limits = limited({ requestsPerMinute: 100 }, { requestsPerMinute: 2 });
  const by = (key: typeof slow, more: Limits) =>
    rig.reservation(organization, 1n, { key, limits: more });
  const answers = await ask(Array.from({ length: 6 }, () => by(slow, limits)));
  expect(count(answers, 'held')).toBe(2);
  expect(await rig.ledger.reserve(by(slow, limits))).toMatchObject({
    limited: 'requests',
    reached: { of: 'key', most: 2 },
  });
  expect(await ask([by(other, limited({ requestsPerMinute: 100 }))])).toEqual(['held']);
});

test('of two reached limits, the one that refuses for longer is named', async () => {
  const organization = await rig.organization(1_000_000n);
  const key = await rig.key(organization, 'both');
  const limits = limited({ tokensPerMinute: 100 }, { tokensPerMinute: 100 });
  const by = (tokens: number, more: Limits = limits, of = key) =>
    rig.reservation(organization, 1n, { key: of, limits: more, tokens });
  // Another key uses most of what the organization has.
  const other = await rig.key(organization, 'before');
  expect(await ask([by(60, limits, other)])).toEqual(['held']);
  await rig.pass(30_000, ...routers);
  expect(await ask([by(40)])).toEqual(['held']);
  expect(await rig.ledger.reserve(by(10))).toMatchObject({
    limited: 'tokens',
    reached: { of: 'organization', most: 100 },
  });
  const tight = limited({ tokensPerMinute: 100 }, { tokensPerMinute: 45 });
  expect(await rig.ledger.reserve(by(10, tight))).toMatchObject({
    limited: 'tokens',
    reached: { of: 'key', most: 45 },
    // The organization has less left, but waiting for it would not help.
    standings: { tokens: { limit: 45, remaining: 5 } },
  });
});

test('tokens a minute count what is expected at admission, and what was used once that is known', async () => {
  const organization = await rig.organization(1_000_000n);
  const limits = limited({ tokensPerMinute: 100 });
  const reservation = (tokens: number) =>
    rig.reservation(organization, 10_000n, { limits, tokens });
  const [first, second] = [reservation(60), reservation(60)];
  expect(await ask([first])).toEqual(['held']);
  expect(await ask([second])).toEqual(['tokens']);
  // The request really used 10 and 20. So 30 are used, and 70 are free.
  await rig.settle(organization, first.request, { prompt: 10, completion: 20 });
  expect(await rig.ledger.reserve(second)).toMatchObject({
    held: { tokens: { limit: 100, remaining: 10 } },
  });
  // A failed request uses nothing.
  await rig.void(organization, second.request);
  const third = reservation(70);
  expect(await ask([third])).toEqual(['held']);
  // Usage beyond the estimate counts as well, once it is known.
  await rig.settle(organization, third.request, { prompt: 70, completion: 80 });
  expect(await ask([reservation(1)])).toEqual(['tokens']);
  expect(await ask([reservation(101)])).toEqual(['tokens']);
});

test('what is left of a key counts all routers, and what it has spent and holds', async () => {
  const organization = await rig.organization(1_000_000n);
  const key = await rig.key(organization, 'asked');
  const limits = limited({ requestsPerMinute: 20 }, { tokensPerMinute: 1_000 });
  const wanted = { organization, key, limits };
  expect(await rig.ledger.keyStanding(wanted)).toMatchObject({
    name: 'asked',
    spent: 0n,
    held: 0n,
    standings: { requests: { limit: 20, remaining: 20, resetMs: 0 } },
  });
  const some = Array.from({ length: 3 }, () =>
    rig.reservation(organization, 10n, { key, limits, tokens: 50 }),
  );
  expect(count(await ask(some), 'held')).toBe(3);
  for (const router of routers) {
    expect(await router.keyStanding(wanted)).toMatchObject({
      spent: 0n,
      held: 30n,
      standings: {
        requests: { limit: 20, remaining: 17 },
        tokens: { limit: 1_000, remaining: 850 },
      },
    });
  }
});

test('MONEY 15: waived work is bounded by organization, over three routers, and for a minute', async () => {
  const organization = await rig.organization(1_000_000n);
  const other = await rig.organization(1_000_000n);
  const waive = async (tokens: number, router: number) => {
    const reservation = rig.reservation(organization, 1n);
    expect(await ask([reservation])).toEqual(['held']);
    const usage = rig.usage(organization, reservation.request, { prompt: 0, completion: 0 });
    const ledger = routers[router] as OpenLedger;
    await ledger.void({ ...usage, finishReason: null, status: 499 }, tokens);
    // A repeated void counts once.
    await ledger.void({ ...usage, finishReason: null, status: 499 }, tokens);
  };
  for (const router of [0, 1, 2]) await waive(66_666, router);
  await waive(1, 0);
  await waive(0, 1);
  expect(await ask([rig.reservation(organization, 1n)])).toEqual(['held']);
  await waive(1, 2);
  const refused = await Promise.all(
    routers.map((router) => router.reserve(rig.reservation(organization, 1n))),
  );
  const tooMuch = { limited: 'waived', retryAfterMs: expect.any(Number) };
  expect(refused).toMatchObject([tooMuch, tooMuch, tooMuch]);
  expect(await ask([rig.reservation(other, 1n)])).toEqual(['held']);
  await rig.pass(61_000, ...routers);
  expect(await ask([rig.reservation(organization, 1n)])).toEqual(['held']);
});

test('requests at once are bounded for the organization and for the key, until one ends or is swept', async () => {
  const organization = await rig.organization(1_000_000n);
  const [one, other] = [await rig.key(organization, 'one'), await rig.key(organization, 'two')];
  const limits = limited({ concurrentRequests: 3 }, { concurrentRequests: 2 });
  const by = (key: typeof one) => rig.reservation(organization, 100n, { key, limits });
  const [a, b, c, d] = [by(one), by(one), by(one), by(other)];
  expect(await ask([a])).toEqual(['held']);
  expect(await ask([b])).toEqual(['held']);
  expect(await rig.ledger.reserve(c)).toMatchObject({
    limited: 'concurrency',
    reached: { of: 'key', most: 2 },
  });
  expect(await ask([d])).toEqual(['held']);
  expect(await rig.ledger.reserve(by(other))).toMatchObject({
    limited: 'concurrency',
    reached: { of: 'organization', most: 3 },
  });
  await rig.settle(organization, a.request, { prompt: 1, completion: 1 });
  expect(await ask([c])).toEqual(['held']);
  await rig.ledger.heartbeat();
});
