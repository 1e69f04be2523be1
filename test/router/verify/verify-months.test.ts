/**
 * A key's spending in a month, when it cannot be known exactly: `ledger verify` must not report
 * false differences.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Operation } from '../../../router/ledger/operations.ts';
import type { Usage } from '../../../router/ledger/terms.ts';
import type { KeyId, OrganizationId, RequestId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { Rig } from '../ledger/rig.ts';

const TOKENS = { prompt: 1, completion: 1 };
const COST = 30n;
const DAY_MS = 24 * 60 * 60 * 1000;
const FEBRUARY = Date.UTC(2026, 1);
const MARCH = Date.UTC(2026, 2);

let rig: Rig;
let organization: OrganizationId;
let key: KeyId;
let keys = 0;
beforeAll(async () => {
  rig = await Rig.start();
  organization = await rig.organization(1_000_000n);
});
beforeEach(async () => {
  await meteredSince('2025-12-01T00:00:00.000Z');
  key = await rig.key(organization, `key${keys++}`);
});
afterEach(() => rig.check());
afterAll(() => rig[Symbol.asyncDispose]());

const meteredSince = (instant: string) =>
  rig.sql(`UPDATE kysely_migration SET timestamp = '${instant}'`);

/** Runs the operation as a router does whose clock shows `now`. */
async function book(operation: Operation): Promise<void> {
  for (const [, outcome] of (await rig.run([operation])).flat()) {
    expect(outcome).not.toHaveProperty('fault');
  }
}

async function hold(now: number): Promise<void> {
  const reservation = rig.reservation(organization, 100n, { key });
  await book({ kind: 'reserve', reservation, incarnation: rig.ledger.incarnation, now });
}

async function charge(now: number): Promise<RequestId> {
  const { request } = rig.reservation(organization, 0n);
  await book({ kind: 'settle', usage: usageOf(request, now), cost: picoUsd(COST), now });
  return request;
}

function usageOf(request: RequestId, now: number): Usage {
  return { ...rig.usage(organization, request, TOKENS), key, created: now - 1_000 };
}

async function spent(): Promise<bigint> {
  const [row] = await rig.sql(`SELECT spent FROM meters WHERE key = '${key}'`);
  return (row as { spent: bigint }).spent;
}

/** Returns what `verify` reports when the meter has this value. */
async function saidOf(wrong: bigint): Promise<readonly string[]> {
  const right = await spent();
  const set = (to: bigint) => rig.sql(`UPDATE meters SET spent = ${to} WHERE key = '${key}'`);
  await set(wrong);
  const { differences } = await rig.verify();
  await set(right);
  return differences;
}

const says = (month: string, wrong: bigint, sum: string) => [
  `meter of ${key}: ${wrong} spent in ${month}, but its charges then sum to ${sum}`,
];

test('what was charged in months that are over does not count', async () => {
  await charge(FEBRUARY + 10 * DAY_MS);
  await charge(MARCH + 10 * DAY_MS);
  expect(await spent()).toBe(COST);
  expect(await saidOf(60n)).toEqual(says('2026-03', 60n, '30'));
});

test('a charge of just before midnight counts for the old month or the new, as its turn came', async () => {
  await hold(FEBRUARY + 1);
  await charge(FEBRUARY - 1);
  expect(await spent()).toBe(COST);
  expect(await saidOf(0n)).toEqual([]);
  expect(await saidOf(31n)).toEqual(says('2026-02', 31n, 'between 0 and 30'));
  await charge(FEBRUARY + 1);
  expect(await spent()).toBe(60n);
  expect(await saidOf(29n)).toEqual(says('2026-02', 29n, 'between 30 and 60'));
});

test('so does one of a router whose clock is a day behind', async () => {
  await charge(FEBRUARY + 1);
  await charge(FEBRUARY - DAY_MS);
  expect(await spent()).toBe(60n);
  await rig.check();
});

test('to the millisecond, the first charge of a month is of that month', async () => {
  await charge(FEBRUARY);
  expect(await saidOf(29n)).toEqual(says('2026-02', 29n, '30'));
  await charge(MARCH);
  expect(await saidOf(29n)).toEqual(says('2026-03', 29n, '30'));
});

test('a charge that is given back in another month lowers what that month has spent, to nothing at most', async () => {
  const request = await charge(FEBRUARY + 10 * DAY_MS);
  await charge(MARCH + 10 * DAY_MS);
  const now = MARCH + 10 * DAY_MS;
  await book({ kind: 'void', usage: usageOf(request, now), now });
  await rig.check();
  expect(await saidOf(31n)).toEqual(says('2026-03', 31n, 'between 0 and 30'));
});

test('what was charged before there were meters may count or not', async () => {
  await charge(FEBRUARY + 10 * DAY_MS);
  // As the migration leaves a key that had no open holds.
  await rig.sql(`DELETE FROM meters WHERE key = '${key}'`);
  await meteredSince('2026-02-15T12:00:00.000Z');
  await rig.check();
  await charge(FEBRUARY + 20 * DAY_MS);
  expect(await spent()).toBe(COST);
  expect(await saidOf(29n)).toEqual(says('2026-02', 29n, 'between 30 and 60'));
  // The keys of the other tests had their meters before.
  await rig.sql(`UPDATE meters SET spent = 60 WHERE key = '${key}'`);
});

test('a meter that began with what was open when there were none yet has spent nothing', async () => {
  await hold(FEBRUARY + 10 * DAY_MS);
  await rig.sql(`UPDATE meters SET month = 0 WHERE key = '${key}'`);
  await rig.check();
  expect(await saidOf(1n)).toEqual(says('no month', 1n, '0'));
});

test('MONEY 2: what a key spends in a month may pass 64 bits: its meter stands still, and charges go on', async () => {
  const most = 2n ** 63n - 1n;
  await charge(MARCH + 10 * DAY_MS);
  await rig.sql(`UPDATE meters SET spent = ${most - 10n} WHERE key = '${key}'`);
  await charge(MARCH + 11 * DAY_MS);
  expect(await spent()).toBe(most);
  await rig.sql(`UPDATE meters SET spent = 60, before_day = 30 WHERE key = '${key}'`);
});
