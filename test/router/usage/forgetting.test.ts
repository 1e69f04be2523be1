/**
 * Old usage rows are deleted in order, and `ledger verify` can still prove the charges that they
 * proved (decision 0011).
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findForgettable, forgetUsage } from '../../../router/usage/retention/forget.ts';
import { usageFolds } from '../../../router/usage/rollups/fold-task.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { Rig } from '../ledger/rig.ts';

const SPAN_MS = 20_000;
const TOKENS = { prompt: 10, completion: 5 };

let rig: Rig;
let organization: OrganizationId;
beforeEach(async () => {
  rig = await Rig.start();
  await rig.sql(`UPDATE kysely_migration SET timestamp = '2025-12-01T00:00:00.000Z'`);
  organization = await rig.organization(10_000_000n);
});
afterEach(() => rig[Symbol.asyncDispose]());

/** Creates one request that is charged, one that is charged and reversed, and one that is free. */
async function requests(): Promise<void> {
  const charged = await rig.hold(organization, 100_000n);
  await rig.settle(organization, charged, TOKENS);
  const reversed = await rig.hold(organization, 100_000n);
  await rig.settle(organization, reversed, TOKENS);
  await rig.void(organization, reversed);
  await rig.void(organization, await rig.hold(organization, 100_000n));
}

/**
 * Folds all usage into the analytics, without which it could not be deleted, and lets it grow older
 * than the retention span.
 */
async function pass(): Promise<void> {
  await usageFolds(rig.parts).run();
  await rig.pass(SPAN_MS, rig.ledger);
}

function forget(before: number, rows = 500): Promise<number> {
  return rig.store.call(forgetUsage, { organization, before, rows });
}

async function count(table: string): Promise<bigint> {
  const rows = await rig.sql(`SELECT count(*) AS n FROM ${table}`);
  return (rows as [{ n: bigint }])[0].n;
}

test('what is old is forgotten, in slices, and the books still prove every charge', async () => {
  await requests();
  await requests();
  await pass();
  const young = rig.clock.now();
  await requests();
  const transfers = await count('transfers');

  expect(await forget(young, 4)).toBe(4);
  await rig.check();
  expect(await forget(young, 4)).toBe(2);
  expect(await forget(young, 4)).toBe(0);
  await rig.check();
  expect(await count('usage')).toBe(3n);
  expect(await count('transfers')).toBe(transfers);
  // New rows continue the numbering.
  await requests();
  await rig.check();
});

test('nothing is forgotten twice, whoever tries at the same moment', async () => {
  for (let i = 0; i < 4; i++) await requests();
  await pass();
  const before = rig.clock.now();
  const gone = await Promise.all(Array.from({ length: 6 }, () => forget(before, 5)));
  expect(gone.reduce((sum, rows) => sum + rows, 0)).toBe(12);
  await rig.check();
  expect(await count('usage')).toBe(0n);
});

test('all of it may go, and the organization goes on', async () => {
  await requests();
  await pass();
  await forget(rig.clock.now());
  await rig.check();
  await requests();
  await rig.check();
  expect(await rig.sql('SELECT seq FROM usage ORDER BY seq')).toEqual([
    { seq: 4n },
    { seq: 5n },
    { seq: 6n },
  ]);
});

test('the oldest organizations are found, each once, and those without old rows are not', async () => {
  await requests();
  const other = await rig.organization(10_000_000n);
  const third = await rig.organization(10_000_000n);
  for (const id of [other, third]) {
    await rig.settle(id, await rig.hold(id, 100_000n), TOKENS);
    if (id === other) await pass();
  }
  const before = rig.clock.now() - SPAN_MS / 2;
  const find = (after: OrganizationId | null, limit: number) =>
    rig.store.call(findForgettable, { before, after, limit });
  const old = [organization, other].toSorted();
  expect(await find(null, 10)).toEqual(old);
  expect(await find(old[0] ?? null, 10)).toEqual([old[1]]);
  expect(await find(null, 1)).toEqual([old[0]]);
  await forget(before);
  expect(await find(null, 10)).toEqual([other]);
});

test('a key that has spent nothing since keeps its meter, which is no difference', async () => {
  const key = await rig.key(organization, 'capped');
  await requests();
  const request = await rig.hold(organization, 100_000n);
  await rig.ledger.settle({ ...rig.usage(organization, request, TOKENS), key }, rig.cost(TOKENS));
  await pass();
  await forget(rig.clock.now());
  await rig.check();
});

test('a claim that was not deleted in time may outlive the row of its request', async () => {
  const usage = rig.usage(organization, await rig.hold(organization, 100_000n), TOKENS);
  await rig.ledger.settle(usage, rig.cost(TOKENS), { claim: { digest: 'key', body: 'body' } });
  await pass();
  expect(await forget(rig.clock.now())).toBe(1);
  expect(await count('idempotency_keys')).toBe(1n);
  await rig.check();
});

/** The expected message after the rows are deleted, when nothing can be looked up any more. */
test.each<[what: string, damage: (at: string) => string, said: RegExp]>([
  [
    'a charge that was never made',
    (at) =>
      `INSERT INTO transfers SELECT id || 'x', organization, -1, debit, credit, 7, kind, reference, reason, created
         FROM transfers WHERE organization = '${at}' AND kind = 'usage' ORDER BY seq LIMIT 1`,
    /^forgotten usage of org_\w+ up to 3: 2 charges of \d+ and 1 reversals of \d+, but there are 3 of \d+ and 1 of \d+$/,
  ],
  [
    'a charge of another amount',
    (at) =>
      `UPDATE transfers SET amount = amount + 1 WHERE organization = '${at}' AND kind = 'usage'
         AND seq = (SELECT min(seq) FROM transfers WHERE organization = '${at}' AND kind = 'usage')`,
    /^forgotten usage of org_\w+ up to 3: 2 charges/,
  ],
  [
    'a sum that was changed',
    () => `UPDATE forgotten_usage SET charged_low = charged_low + 1`,
    /^forgotten usage of org_\w+ up to 3: 2 charges/,
  ],
  [
    'rows that are gone beyond what was forgotten',
    () => `UPDATE forgotten_usage SET seq = seq - 1`,
    /usage_seq is 3, but usage has 0 rows/,
  ],
  [
    'a charge that is not among the forgotten',
    () => `UPDATE forgotten_usage SET transfer_seq = transfer_seq - 1`,
    /^transfer trf_\w+: usage req_\w+ does not name this usage transfer$/,
  ],
  [
    'forgotten rows of nobody',
    () => `UPDATE forgotten_usage SET organization = 'org_nobody'`,
    /^forgotten usage: there are rows of org_nobody, which has no account$/,
  ],
  [
    'a claim that is younger than what was forgotten, and whose request there never was',
    () =>
      `INSERT INTO idempotency_keys SELECT 'key', 'body', 'req_none', until + 172800000 FROM forgotten_usage`,
    /^claim of req_none: its request was never recorded, and not charged$/,
  ],
])('verify names %s', async (_what, damage, said) => {
  await requests();
  await pass();
  await forget(rig.clock.now());
  await rig.check();
  rig.damaged = true;
  await rig.sql(damage(organization));
  const { differences } = await rig.verify();
  expect(differences).toContainEqual(expect.stringMatching(said));
});
