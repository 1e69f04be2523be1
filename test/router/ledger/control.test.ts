import { expect, test } from 'vitest';
import { revokeKey } from '../../../router/identity/keys.ts';
import {
  createOrganization,
  insertOrganization,
  newOrganization,
} from '../../../router/identity/organizations.ts';
import { adjustCredit, readBalance } from '../../../router/ledger/credit.ts';
import { ensurePrices, priceId } from '../../../router/ledger/prices.ts';
import { BALANCE_MAX } from '../../../router/ledger/transfers.ts';
import { listUsage } from '../../../router/usage/listings.ts';
import { listTransfers } from '../../../router/usage/transfers.ts';
import { mintId, type OrganizationId } from '../../../shared/ids.ts';
import { PICO_PER_USD, picoUsd } from '../../../shared/money.ts';
import { setRegion, setStatus } from './set-organization.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const NOBODY = 'org_nobody' as OrganizationId;
const FIRST = { before: null, limit: 100 };

test('a new organization has its welcome credit, by a transfer', async () => {
  const organization = await createOrganization(rig.parts, { name: 'Lab', region: 'eu' });
  expect(organization).toMatchObject({ name: 'Lab', region: 'eu', status: 'active' });
  const { id } = organization;
  expect(await rig.balance(id)).toEqual({
    balance: 5n * PICO_PER_USD,
    held: 0n,
    reserve: 0n,
    floor: 0n,
  });
  const { rows } = await rig.store.call(listTransfers, { organization: id, ...FIRST });
  expect(rows).toMatchObject([{ seq: 1n, change: 5n * PICO_PER_USD, kind: 'welcome' }]);
});

test('the same organization asked for twice is welcomed once', async () => {
  const wanted = newOrganization(rig.parts, { name: 'Lab', region: 'us' });
  const first = await rig.store.call(insertOrganization, wanted);
  expect(await rig.store.call(insertOrganization, wanted)).toEqual(first);
  expect(await rig.balance(wanted.id)).toMatchObject({ balance: 5n * PICO_PER_USD });
});

test('an adjustment goes up, and down to the floor, not into what is held', async () => {
  const organization = await rig.organization(100n);
  await rig.hold(organization, 30n);
  const adjust = (amount: bigint) =>
    adjustCredit(rig.parts, {
      organization,
      amount: picoUsd(amount),
      reason: 'goodwill',
      reference: 'ticket 7',
    });
  expect(await adjust(50n)).toMatchObject({ balance: 150n });
  expect(await adjust(-121n)).toBe('insufficient');
  expect(await adjust(-120n)).toMatchObject({ balance: 30n });
  const { rows } = await rig.store.call(listTransfers, { organization, before: null, limit: 1 });
  expect(rows).toMatchObject([
    { change: -120n, kind: 'adjustment', reason: 'goodwill', reference: 'ticket 7' },
  ]);
});

test('MONEY 2: no account rises above USD 4 million', async () => {
  const organization = await rig.organization(BALANCE_MAX - 10n);
  const more = { organization, reason: 'x', reference: 'x' };
  expect(await adjustCredit(rig.parts, { ...more, amount: picoUsd(11n) })).toBe('over_limit');
  const last = await adjustCredit(rig.parts, { ...more, amount: picoUsd(10n) });
  expect(last).toMatchObject({ balance: BALANCE_MAX });
});

test('an adjustment is made once under its id, and needs an organization', async () => {
  const organization = await rig.organization(100n);
  const id = mintId('transfer', rig.clock, rig.random);
  const adjustment = { id, organization, amount: picoUsd(7n), reason: 'x', reference: 'x' };
  const answer = { transfer: id, balance: 107n };
  expect(await adjustCredit(rig.parts, adjustment)).toEqual(answer);
  expect(await adjustCredit(rig.parts, adjustment)).toEqual(answer);
  const nobody = { ...adjustment, id: mintId('transfer', rig.clock, rig.random) };
  expect(await adjustCredit(rig.parts, { ...nobody, organization: NOBODY })).toBe('unknown');
  expect(await rig.store.call(readBalance, NOBODY)).toBeNull();
  const nothing = adjustCredit(rig.parts, { ...nobody, amount: picoUsd(0n) });
  await expect(nothing).rejects.toThrow('cannot change a balance by 0');
});

test('100 adjustments at once take what there is and no more', async () => {
  const organization = await rig.organization(50n);
  const more = { organization, amount: picoUsd(-1n), reason: 'x', reference: 'x' };
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => adjustCredit(rig.parts, more)),
  );
  expect(answers.filter((answer) => answer === 'insufficient')).toHaveLength(50);
  expect(await rig.balance(organization)).toMatchObject({ balance: 0n });
});

test('transfers and usage are listed newest first, page by page', async () => {
  const organization = await rig.organization(10_000n);
  const requests = [];
  for (let n = 0; n < 5; n++) {
    const request = await rig.hold(organization, 100n);
    await rig.settle(organization, request, { prompt: n + 1, completion: 0 });
    requests.unshift(request);
  }
  const seen = [];
  let before: bigint | null = null;
  do {
    const page: Awaited<ReturnType<typeof usagePage>> = await usagePage(before);
    seen.push(...page.rows.map(({ request }) => request));
    before = page.next;
  } while (before !== null);
  expect(seen).toEqual(requests);

  function usagePage(from: bigint | null) {
    return rig.store.call(listUsage, { organization, before: from, limit: 2 });
  }
  const transfers = await rig.store.call(listTransfers, { organization, before: 5n, limit: 3 });
  expect(transfers.rows.map(({ seq }) => seq)).toEqual([4n, 3n, 2n]);
  expect(transfers.next).toBe(2n);
  const all = await rig.store.call(listTransfers, { organization, before: 2n, limit: 3 });
  expect(all).toMatchObject({ rows: [{ seq: 1n }], next: null });
  const kinds = async (cause: 'usage' | 'other') => {
    const ask = { organization, before: null, limit: 3, cause };
    const { rows, next } = await rig.store.call(listTransfers, ask);
    return [rows.map(({ kind, seq }) => `${kind} ${seq}`), next];
  };
  expect(await kinds('usage')).toEqual([['usage 7', 'usage 6', 'usage 5'], 5n]);
  expect(await kinds('other')).toEqual([
    [expect.stringMatching(/ 2$/), expect.stringMatching(/ 1$/)],
    null,
  ]);
  const tooMany = rig.store.call(listUsage, { organization, before: null, limit: 1_001 });
  await expect(tooMany).rejects.toThrow('1 to 1000 rows');
});

test('usage comes back as it went in, and can be narrowed', async () => {
  const organization = await rig.organization(10_000n);
  const request = await rig.hold(organization, 100n);
  const usage = {
    ...rig.usage(organization, request, { prompt: 4, cached: 2, completion: 3, reasoning: 1 }),
    cachedSource: 'predicted' as const,
    source: 'playground' as const,
    ttftMs: null,
    durationMs: 80,
  };
  await rig.ledger.settle(usage, picoUsd(82n));
  const other = await rig.hold(organization, 100n);
  await rig.settle(organization, other, { prompt: 1, completion: 0 });
  const list = (more: object) =>
    rig.store.call(listUsage, { organization, ...FIRST, ...more }).then(({ rows }) => rows);
  const [, stored] = await list({});
  // The member who created the key is only in its row.
  const { member: _member, ...kept } = usage;
  expect(stored).toMatchObject(kept);
  expect(await list({ model: ['lab/other'] })).toEqual([]);
  expect(await list({ key: [usage.key] })).toHaveLength(2);
  expect(await list({ from: usage.created, until: usage.created + 1 })).toHaveLength(2);
  expect(await list({ until: usage.created })).toEqual([]);
  expect(await rig.store.call(listUsage, { organization: NOBODY, ...FIRST })).toEqual({
    rows: [],
    next: null,
  });
});

test('MONEY 5: the same figures are one price version, other figures or another customer another', async () => {
  const price = { prompt: picoUsd(7n), completion: picoUsd(9n), cached: picoUsd(1n) };
  const organization = await rig.organization(1n);
  const asks = [
    { model: 'a/b', price },
    { model: 'a/b', price: { ...price, cached: picoUsd(2n) } },
    { model: 'a/b', price, organization },
    { model: 'a/c', price },
  ];
  const versions = await ensurePrices(rig.parts, asks);
  expect(new Set(versions.map(({ id }) => id)).size).toBe(4);
  expect(versions.map(({ id }) => id)).toEqual(asks.map(priceId));
  expect(await ensurePrices(rig.parts, asks)).toEqual(versions);
  expect(versions[0]).toEqual({ id: versions[0]?.id, model: 'a/b', price });
  const rows = await rig.sql(`SELECT id FROM prices WHERE model IN ('a/b', 'a/c')`);
  expect(rows).toHaveLength(4);
});

test('a key is revoked, then deleted, by its own organization only; each raises the epoch once', async () => {
  const [organization, other] = [await rig.organization(1n), await rig.organization(1n)];
  const key = await rig.key(organization, 'revoked');
  const epoch = async () => (await rig.ledger.findKey('digest revoked'))?.epoch;
  const revoke = (of: OrganizationId, to: 'revoked' | 'deleted') =>
    rig.store.call(revokeKey, { organization: of, key, to });
  expect(await revoke(other, 'revoked')).toBe('unknown');
  expect(await epoch()).toBe(0n);
  expect(await revoke(organization, 'revoked')).toBe('done');
  expect(await revoke(organization, 'revoked')).toBe('done');
  expect(await epoch()).toBe(1n);
  expect(await revoke(organization, 'deleted')).toBe('done');
  expect(await revoke(organization, 'revoked')).toBe('unknown');
  expect(await epoch()).toBe(2n);
});

test('an organization that does not exist can be neither suspended nor moved', async () => {
  const suspend = { organization: NOBODY, status: 'suspended' as const };
  expect(await rig.store.call(setStatus, suspend)).toBe('unknown');
  const move = { organization: NOBODY, region: 'us' as const };
  expect(await rig.store.call(setRegion, move)).toBe('unknown');
});

test('the last use of keys is written now and then, all at once', async () => {
  const organization = await rig.organization(1n);
  const key = await rig.key(organization, 'touched');
  rig.ledger.touchKey(key);
  const used = BigInt(rig.clock.now());
  await rig.pass(5_000, rig.ledger);
  const lastUsed = () => rig.sql(`SELECT last_used FROM keys WHERE id = '${key}'`);
  await expect.poll(lastUsed, { timeout: 20_000 }).toEqual([{ last_used: used }]);
});
