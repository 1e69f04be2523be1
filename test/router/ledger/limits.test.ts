import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../router/control/audit/record.ts';
import {
  changeSettingsAudited,
  changeTermsAudited,
} from '../../../router/control/organizations/procedures.ts';
import { revokeKey, changeKey } from '../../../router/identity/keys.ts';
import { adjustCredit } from '../../../router/ledger/credit.ts';
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import { PICO_PER_USD, picoUsd } from '../../../shared/money.ts';
import { setBilling, setLimits, setRegion, setStatus } from './set-organization.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const NOBODY = 'org_nobody' as OrganizationId;
const NONE = { requestsPerMinute: null, tokensPerMinute: null, concurrentRequests: null };

async function found(name: string) {
  const record = await rig.ledger.findKey(`digest ${name}`);
  if (!record) throw new Error(`there is no key ${name}`);
  return record;
}

test('nothing is limited until somebody sets it', async () => {
  const organization = await rig.organization(1n);
  await rig.key(organization, 'plain');
  expect(await found('plain')).toMatchObject({ limits: NONE, keyLimits: NONE, monthlyCap: null });
});

test("an organization's limits change one by one, and null goes back to the default", async () => {
  const organization = await rig.organization(1n);
  await rig.key(organization, 'limited');
  const set = (limits: object) => rig.store.call(setLimits, { organization, limits });
  expect(await set({ requestsPerMinute: 60, concurrentRequests: 4 })).toBe('done');
  expect(await set({ tokensPerMinute: 100_000, concurrentRequests: null })).toBe('done');
  const { limits, keyLimits } = await found('limited');
  expect(limits).toEqual({
    requestsPerMinute: 60,
    tokensPerMinute: 100_000,
    concurrentRequests: null,
  });
  expect(keyLimits).toEqual(NONE);
});

test("a key's limits and its cap are its own", async () => {
  const organization = await rig.organization(1n);
  const key = await rig.key(organization, 'capped');
  await rig.key(organization, 'beside');
  const set = (change: object) => rig.store.call(changeKey, { organization, key, ...change });
  expect(await set({ limits: { concurrentRequests: 2 }, monthlyCap: picoUsd(7n) })).toBe('done');
  const own = { ...NONE, concurrentRequests: 2 };
  expect(await found('capped')).toMatchObject({ keyLimits: own, monthlyCap: 7n, limits: NONE });
  expect(await found('beside')).toMatchObject({ keyLimits: NONE, monthlyCap: null });
  expect(await set({ monthlyCap: null })).toBe('done');
  expect(await found('capped')).toMatchObject({ keyLimits: own, monthlyCap: null });
});

test('a limit is above zero, a cap is not below it', async () => {
  const organization = await rig.organization(1n);
  const key = await rig.key(organization, 'odd');
  const none = rig.store.call(setLimits, { organization, limits: { requestsPerMinute: 0 } });
  await expect(none).rejects.toThrow(/check/i);
  const cap = rig.store.call(changeKey, { organization, key, monthlyCap: picoUsd(-1n) });
  await expect(cap).rejects.toThrow(/check/i);
  expect(await found('odd')).toMatchObject({ limits: NONE, monthlyCap: null, epoch: 0n });
});

test('MONEY 11: whatever changes for an organization or its key is known to the very next admission', async () => {
  const organization = await rig.organization(100n);
  const key = await rig.key(organization, 'watched');
  const changes = [
    () => rig.store.call(setLimits, { organization, limits: { requestsPerMinute: 9 } }),
    () => rig.store.call(changeKey, { organization, key, monthlyCap: picoUsd(5n) }),
    () => rig.store.call(changeKey, { organization, key, allowedModels: ['lab/model'] }),
    () =>
      rig.store.call(setBilling, { organization, billing: 'invoiced', creditLimit: picoUsd(9n) }),
    () => rig.store.call(setBilling, { organization, billing: 'prepaid' }),
    () => rig.store.call(setRegion, { organization, region: 'eu' }),
    () => rig.store.call(setStatus, { organization, status: 'suspended' }),
    () => rig.store.call(setStatus, { organization, status: 'active' }),
    () => rig.store.call(revokeKey, { organization, key, to: 'revoked' }),
  ];
  for (const change of changes) {
    const { epoch } = await found('watched');
    expect(await change()).toBe('done');
    expect((await found('watched')).epoch).toBe(epoch + 1n);
    const late = rig.reservation(organization, 1n, { key, epoch });
    expect(await rig.ledger.reserve(late)).toMatch(/^(stale|suspended)$/);
  }
});

test('MONEY 11: each of these changes is announced for its organization', () => {
  const organization = NOBODY;
  const key = 'key_any' as KeyId;
  expect(changeKey.invalidates?.({ organization, key })).toBe(organization);
  for (const procedure of [changeTermsAudited, changeSettingsAudited]) {
    const input = { organization, change: {}, anyMove: false };
    expect(procedure.invalidates?.({ input, entry: {} as AuditEntry })).toBe(organization);
  }
  expect(revokeKey.invalidates?.({ organization, key, to: 'revoked' })).toBe(organization);
});

test('what is not there cannot be limited', async () => {
  const [organization, other] = [await rig.organization(1n), await rig.organization(1n)];
  const key = await rig.key(organization, 'gone');
  expect(await rig.store.call(setLimits, { organization: NOBODY, limits: {} })).toBe('unknown');
  const bill = { organization: NOBODY, billing: 'prepaid' } as const;
  expect(await rig.store.call(setBilling, bill)).toBe('unknown');
  const limit = (of: OrganizationId) =>
    rig.store.call(changeKey, { organization: of, key, monthlyCap: picoUsd(1n) });
  expect(await limit(other)).toBe('unknown');
  await rig.store.call(revokeKey, { organization, key, to: 'deleted' });
  expect(await limit(organization)).toBe('unknown');
  expect((await found('gone')).monthlyCap).toBeNull();
});

test('MONEY 4: an invoiced organization may go down to its credit limit, and back to prepaid once it has paid', async () => {
  const organization = await rig.organization(100n);
  const bill = (creditLimit: bigint) =>
    rig.store.call(setBilling, {
      organization,
      billing: 'invoiced',
      creditLimit: picoUsd(creditLimit),
    });
  const epoch = 2n;
  expect(await bill(40n)).toBe('done');
  expect(await bill(50n)).toBe('done');
  expect(await rig.balance(organization)).toMatchObject({ floor: -50n });
  const ask = (amount: bigint) =>
    rig.ledger.reserve(rig.reservation(organization, amount, { epoch }));
  expect(await ask(151n)).toBe('insufficient');
  expect(await ask(120n)).not.toBe('insufficient');
  // 20 are held below zero.
  expect(await bill(19n)).toEqual({ balance: 100n, held: 120n, missing: 1n });
  const prepaid = { organization, billing: 'prepaid' } as const;
  expect(await rig.store.call(setBilling, prepaid)).toMatchObject({ missing: 20n });
  expect(await rig.balance(organization)).toMatchObject({ floor: -50n });
  expect(await bill(20n)).toBe('done');
  const paid = { organization, amount: picoUsd(20n), reason: 'invoice 1', reference: 'x' };
  await adjustCredit(rig.parts, paid);
  expect(await rig.store.call(setBilling, prepaid)).toBe('done');
  expect(await rig.balance(organization)).toMatchObject({ floor: 0n });
});

test('MONEY 2: no credit limit goes beyond USD 4 million', async () => {
  const organization = await rig.organization(1n);
  const creditLimit = picoUsd(4_000_000n * PICO_PER_USD + 1n);
  const bill = rig.store.call(setBilling, { organization, billing: 'invoiced', creditLimit });
  await expect(bill).rejects.toThrow('not a credit limit');
});
