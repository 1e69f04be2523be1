import { expect, test } from 'vitest';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import { LedgerFault, type RequestTimes, type Usage } from '../../../router/ledger/terms.ts';
import { listUsage } from '../../../router/usage/listings.ts';
import { listTransfers } from '../../../router/usage/transfers.ts';
import type { RequestId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const TOKENS = { prompt: 4, cached: 2, completion: 3, reasoning: 1 };
/** At prices 10 (prompt), 20 (completion) and 1 (cached): 2 × 10 + 2 × 1 + 3 × 20. */
const COST = 82n;

test('MONEY 12: a settlement charges the usage, frees the hold and leaves one transfer and one row', async () => {
  const organization = await rig.organization(1_000n);
  const request = await rig.hold(organization, 500n, 70n);
  expect(await rig.settle(organization, request, TOKENS)).toEqual({ cost: COST });
  const after = { balance: 1_000n - COST, held: 0n, reserve: 0n };
  expect(await rig.balance(organization)).toMatchObject(after);

  const page = { organization, before: null, limit: 10 };
  const usage = await rig.store.call(listUsage, page);
  expect(usage).toMatchObject({
    rows: [{ request, cost: COST, outcome: 'settled', seq: 1n, promptTokens: 4, cachedTokens: 2 }],
    next: null,
  });
  const { rows } = await rig.store.call(listTransfers, page);
  expect(rows[0]).toMatchObject({
    id: usage.rows[0]?.transfer,
    kind: 'usage',
    change: -COST,
    reference: request,
    seq: 3n,
  });
});

test('MONEY 13: settled again, under the same id, it answers the same and charges nothing more', async () => {
  const organization = await rig.organization(1_000n);
  const request = await rig.hold(organization, 500n);
  const together = Array.from({ length: 5 }, () => rig.settle(organization, request, TOKENS));
  for (const answer of await Promise.all(together)) expect(answer).toEqual({ cost: COST });
  expect(await rig.settle(organization, request, TOKENS)).toEqual({ cost: COST });
  // The first settlement stays in force, whatever a later one contains.
  const more = { prompt: 5, completion: 5 };
  expect(await rig.settle(organization, request, more)).toEqual({ cost: COST });
  expect(await rig.balance(organization)).toMatchObject({ balance: 1_000n - COST, held: 0n });
});

test('MONEY 13: voided first, a settlement is refused', async () => {
  const organization = await rig.organization(1_000n);
  const request = await rig.hold(organization, 500n, 20n);
  await rig.void(organization, request);
  await rig.void(organization, request);
  expect(await rig.settle(organization, request, TOKENS)).toBe('refused');
  expect(await rig.balance(organization)).toMatchObject({ balance: 1_000n, held: 0n, reserve: 0n });
  const page = await rig.store.call(listUsage, { organization, before: null, limit: 10 });
  expect(page.rows).toMatchObject([{ outcome: 'voided', cost: 0n, transfer: null, status: 502 }]);
});

test('MONEY 14: a void reverses the charge that it finds, once, by a transfer of its own', async () => {
  const organization = await rig.organization(1_000n);
  const request = await rig.hold(organization, 500n);
  await rig.settle(organization, request, TOKENS);
  await Promise.all([rig.void(organization, request), rig.void(organization, request)]);
  await rig.void(organization, request);
  expect(await rig.balance(organization)).toMatchObject({ balance: 1_000n, held: 0n });
  expect(await rig.settle(organization, request, TOKENS)).toBe('refused');

  const page = { organization, before: null, limit: 2 };
  const { rows } = await rig.store.call(listTransfers, page);
  expect(rows).toMatchObject([
    { kind: 'reversal', change: COST, reference: request, seq: 4n },
    { kind: 'usage', change: -COST, reference: request, seq: 3n },
  ]);
  const usage = await rig.store.call(listUsage, page);
  expect(usage.rows).toMatchObject([
    { outcome: 'voided', cost: 0n, error: 'engine_failed', finishReason: null },
  ]);
});

test('MONEY 13: with its hold lost, a settlement is one guarded charge', async () => {
  const organization = await rig.organization(COST + 10n);
  const [first, second, third] = [
    await rig.hold(organization, 20n),
    await rig.hold(organization, 20n),
    await rig.hold(organization, 20n),
  ];
  // A sweeper leaves this state: no hold, and no tombstone.
  await rig.free(first, second);
  // The 20 held for the third are not free for the first: 92 - 20 < 82.
  expect(await rig.settle(organization, first, TOKENS)).toBe('refused');
  await rig.void(organization, third);
  expect(await rig.settle(organization, second, TOKENS)).toEqual({ cost: COST });
  expect(await rig.balance(organization)).toMatchObject({ balance: 10n, held: 0n });
  // A refusal is final, because the answer was cut by then.
  expect(await rig.settle(organization, first, { prompt: 1, completion: 0 })).toBe('refused');
  const page = await rig.store.call(listUsage, { organization, before: null, limit: 10 });
  expect(page.rows.map(({ request, outcome, cost }) => ({ request, outcome, cost }))).toEqual([
    { request: second, outcome: 'settled', cost: COST },
    { request: third, outcome: 'voided', cost: 0n },
    { request: first, outcome: 'voided', cost: 0n },
  ]);
});

test("MONEY 13: with its hold lost, a settlement passes the key's cap as well as the floor", async () => {
  const organization = await rig.organization(10_000n);
  const key = await rig.key(organization, 'capped');
  const monthlyCap = picoUsd(COST + 20n);
  const limits = { ...UNLIMITED, monthlyCap };
  const hold = async (amount: bigint) => {
    const reservation = rig.reservation(organization, amount, { key, limits });
    expect(await rig.ledger.reserve(reservation)).toHaveProperty('held');
    return reservation.request;
  };
  const settle = (request: RequestId) =>
    rig.ledger.settle({ ...rig.usage(organization, request, TOKENS), key }, picoUsd(COST), {
      monthlyCap,
    });
  const [swept, short] = [await hold(COST), await hold(19n)];
  await rig.free(swept);
  const paid = await hold(COST - 1n);
  // One more than is held for it, which the cap still allows.
  expect(await settle(paid)).toEqual({ cost: COST });
  expect(await settle(swept)).toBe('refused');
  expect(await settle(short)).toBe('refused');
  expect(await rig.balance(organization)).toMatchObject({ balance: 10_000n - COST, held: 0n });
});

test('a usage row keeps the times of its request, and the first four of its failed attempts', async () => {
  const organization = await rig.organization(10_000n);
  const failed = Array.from({ length: 6 }, (_, nth) => ({
    error: nth % 2 === 0 ? 'worker_lost' : 'engine_failed',
    afterMs: 5 + 100 * nth,
    durationMs: 90,
  }));
  const times = { bodyMs: 3, admittedMs: 5, pickedMs: 605, waitedMs: 60, failedAttempts: failed };
  const plain = { bodyMs: 0, admittedMs: 1, pickedMs: null, waitedMs: null, failedAttempts: [] };
  const settle = async (of: RequestTimes | null) => {
    const request = await rig.hold(organization, COST);
    const usage = { ...rig.usage(organization, request, TOKENS), times: of };
    expect(await rig.ledger.settle(usage, picoUsd(COST))).toEqual({ cost: COST });
  };
  // One after another: the list has the newest first.
  await settle(times);
  await settle(plain);
  await settle(null);
  const page = await rig.store.call(listUsage, { organization, before: null, limit: 10 });
  expect(page.rows.map((row) => row.times)).toEqual([
    null,
    plain,
    { ...times, failedAttempts: failed.slice(0, 4) },
  ]);
});

test('a usage row keeps what its request asked for, as far as it is known', async () => {
  const organization = await rig.organization(10_000n);
  const asked: readonly Pick<Usage, 'endpoint' | 'streamed' | 'maxTokens'>[] = [
    { endpoint: '/v1/messages', streamed: true, maxTokens: 2 ** 40 },
    { endpoint: '/v1/chat/completions', streamed: false, maxTokens: 0 },
    { endpoint: null, streamed: null, maxTokens: null },
  ];
  // One after another: the list has the newest first.
  for (const of of asked) {
    const request = await rig.hold(organization, COST);
    const usage = { ...rig.usage(organization, request, TOKENS), ...of };
    expect(await rig.ledger.settle(usage, picoUsd(COST))).toEqual({ cost: COST });
  }
  const page = await rig.store.call(listUsage, { organization, before: null, limit: 10 });
  expect(page.rows).toMatchObject(asked.toReversed());
});

test('a settlement of nothing writes no transfer, needs no credit and is idempotent', async () => {
  const organization = await rig.organization(100n);
  const usual = rig.price;
  rig.price = await rig.priceOf(0n, 0n, 0n);
  const request = await rig.hold(organization, 0n);
  expect(await rig.settle(organization, request, TOKENS)).toEqual({ cost: 0n });
  expect(await rig.settle(organization, request, TOKENS)).toEqual({ cost: 0n });
  await rig.void(organization, request);
  const page = await rig.store.call(listUsage, { organization, before: null, limit: 10 });
  expect(page.rows).toMatchObject([{ outcome: 'voided', cost: 0n, transfer: null }]);
  rig.price = usual;
});

test('MONEY 13: what is charged beyond a hold, whose last extension was lost, has to pass the guard', async () => {
  const organization = await rig.organization(COST + 100n);
  const [covered, short] = [
    await rig.hold(organization, COST - 1n),
    await rig.hold(organization, COST - 1n),
  ];
  expect(await rig.settle(organization, covered, TOKENS)).toEqual({ cost: COST });
  expect(await rig.balance(organization)).toMatchObject({ balance: 100n, held: COST - 1n });
  const other = await rig.hold(organization, 100n - COST + 1n);
  expect(await rig.settle(organization, short, TOKENS)).toBe('refused');
  expect(await rig.balance(organization)).toMatchObject({ balance: 100n, held: 101n - COST });
  await rig.void(organization, other);
  expect(rig.ledger.openHolds).toBe(0);
});

test('MONEY 5: a cost that is not the price of the usage, or at another price, is never charged', async () => {
  const organization = await rig.organization(1_000n);
  const dearer = await rig.priceOf(11n, 20n, 1n);
  const requests = [await rig.hold(organization, 200n), await rig.hold(organization, 200n)];
  const [one, two] = requests.map((request) => rig.usage(organization, request, TOKENS));
  if (!one || !two) throw new Error('two requests');
  await expect(rig.ledger.settle(one, picoUsd(COST + 1n))).rejects.toThrow('costs 82, not 83');
  const at = { ...two, price: dearer.id };
  await expect(rig.ledger.settle(at, picoUsd(84n))).rejects.toThrow('held at');
  expect(await rig.balance(organization)).toMatchObject({ balance: 1_000n, held: 0n });
});

test('counts that contradict one another are never charged', async () => {
  const organization = await rig.organization(1_000n);
  for (const wrong of [
    { prompt: 1, cached: 2, completion: 1 },
    { prompt: 1, cached: -1, completion: 1 },
    { prompt: 1, completion: 1, reasoning: 2 },
    { prompt: 1, completion: -1 },
  ]) {
    const request = await rig.hold(organization, 100n);
    await expect(rig.settle(organization, request, wrong)).rejects.toThrow(LedgerFault);
  }
  const request = await rig.hold(organization, 100n);
  const usage = rig.usage(organization, request, { prompt: 1.5, completion: 0 });
  await expect(rig.ledger.settle(usage, picoUsd(15n))).rejects.toThrow(LedgerFault);
  await rig.void(organization, request);
  expect(await rig.balance(organization)).toMatchObject({ balance: 1_000n, held: 0n });
});

test('a request is never settled or voided for another organization', async () => {
  const [mine, theirs] = [await rig.organization(1_000n), await rig.organization(1_000n)];
  const request = await rig.hold(mine, 100n);
  await expect(rig.settle(theirs, request, TOKENS)).rejects.toThrow(LedgerFault);
  await expect(rig.void(theirs, request)).rejects.toThrow(LedgerFault);
  expect(await rig.settle(mine, request, TOKENS)).toEqual({ cost: COST });
  await expect(rig.void(theirs, request)).rejects.toThrow(LedgerFault);
  expect(await rig.balance(theirs)).toMatchObject({ balance: 1_000n, held: 0n });
});
