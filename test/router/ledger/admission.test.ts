import { expect, test } from 'vitest';
import { revokeKey } from '../../../router/identity/keys.ts';
import { LedgerFault } from '../../../router/ledger/terms.ts';
import type { KeyId, PriceId } from '../../../shared/ids.ts';
import { PICO_PER_USD, picoUsd } from '../../../shared/money.ts';
import { setBilling, setRegion, setStatus } from './set-organization.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

test('MONEY 4: of 500 requests at once, credit for ten admits ten, and settling them cannot overdraw', async () => {
  const organization = await rig.organization(10_000n);
  const asked = Array.from({ length: 500 }, () => rig.reservation(organization, 1_000n));
  const answers = await Promise.all(asked.map((reservation) => rig.ledger.reserve(reservation)));
  const held = asked.filter((_, index) => typeof answers[index] === 'object');
  expect(held).toHaveLength(10);
  const refused = answers.filter((answer) => typeof answer === 'string');
  expect(new Set(refused)).toEqual(new Set(['insufficient']));
  expect(await rig.balance(organization)).toMatchObject({ balance: 10_000n, held: 10_000n });

  const tokens = { prompt: 60, completion: 20 };
  await Promise.all(held.map(({ request }) => rig.settle(organization, request, tokens)));
  expect(await rig.balance(organization)).toMatchObject({ balance: 0n, held: 0n });
  expect(await rig.ledger.reserve(rig.reservation(organization, 1n))).toBe('insufficient');
});

test('MONEY 4: an invoiced organization may hold down to its lower floor, no further', async () => {
  const organization = await rig.organization(100n);
  const invoiced = { organization, billing: 'invoiced', creditLimit: picoUsd(50n) } as const;
  expect(await rig.store.call(setBilling, invoiced)).toBe('done');
  const reservation = (amount: bigint) => rig.reservation(organization, amount, { epoch: 1n });
  expect(await rig.ledger.reserve(reservation(151n))).toBe('insufficient');
  expect(await rig.ledger.reserve(reservation(150n))).toHaveProperty('held');
});

test('MONEY 8: admission leaves a slice free for each open hold, which an extension then may use', async () => {
  const organization = await rig.organization(100n);
  // The guard requires the slice that is kept free for a hold only from later requests, not from
  // the request that takes the hold.
  const first = await rig.hold(organization, 60n, 30n);
  expect(await rig.balance(organization)).toMatchObject({ held: 60n, reserve: 30n });
  expect(await rig.ledger.reserve(rig.reservation(organization, 11n))).toBe('insufficient');
  const second = await rig.hold(organization, 10n);
  const extension = { request: first, organization, amount: picoUsd(100n), unit: picoUsd(1n) };
  expect(await rig.ledger.extend(extension)).toEqual({ held: 90n });
  expect(await rig.ledger.extend(extension)).toEqual({ held: 90n });
  await rig.void(organization, first);
  await rig.void(organization, second);
  expect(await rig.balance(organization)).toMatchObject({ balance: 100n, held: 0n, reserve: 0n });
});

test('MONEY 7: a hold is made as large as asked for less whole units, as far as the credit goes; the last may be one token', async () => {
  const organization = await rig.organization(100n);
  const request = await rig.hold(organization, 53n);
  const holdAt = (amount: bigint, unit: bigint) =>
    rig.ledger.extend({ request, organization, amount: picoUsd(amount), unit: picoUsd(unit) });
  expect(await holdAt(73n, 20n)).toEqual({ held: 73n });
  // A repeated extension has the same result, however often its answer was lost.
  expect(await holdAt(73n, 20n)).toEqual({ held: 73n });
  expect(await holdAt(153n, 20n)).toEqual({ held: 93n });
  expect(await holdAt(153n, 20n)).toEqual({ held: 93n });
  // The extension is all or nothing.
  expect(await holdAt(101n, 101n)).toEqual({ held: 93n });
  expect(await holdAt(101n, 2n)).toEqual({ held: 99n });
  // The hold never shrinks.
  expect(await holdAt(10n, 1n)).toEqual({ held: 99n });
  expect(await rig.balance(organization)).toMatchObject({ held: 99n });
  await expect(holdAt(100n, 0n)).rejects.toThrow(LedgerFault);
  await expect(holdAt(-1n, 1n)).rejects.toThrow(LedgerFault);
});

test('MONEY 9: no hold, no extension', async () => {
  const organization = await rig.organization(100n);
  const request = await rig.hold(organization, 10n);
  await rig.void(organization, request);
  const extension = { request, organization, amount: picoUsd(11n), unit: picoUsd(1n) };
  expect(await rig.ledger.extend(extension)).toBe('gone');
});

test('MONEY 11: after a revocation or a change of region the old epoch is stale', async () => {
  const organization = await rig.organization(100n);
  const key = await rig.key(organization, 'one');
  const other = await rig.key(organization, 'two');
  const before = await rig.ledger.findKey('digest one');
  expect(before).toMatchObject({ key, organization, region: 'global', active: true, epoch: 0n });

  expect(await rig.store.call(revokeKey, { organization, key, to: 'revoked' })).toBe('done');
  expect(await rig.ledger.reserve(rig.reservation(organization, 1n, { key }))).toBe('stale');
  const revoked = await rig.ledger.findKey('digest one');
  expect(revoked).toMatchObject({ active: false, state: 'revoked', epoch: 1n });

  const known = await rig.ledger.findKey('digest two');
  const again = rig.reservation(organization, 1n, { key: other, epoch: known?.epoch ?? -1n });
  expect(await rig.ledger.reserve(again)).toHaveProperty('held');
  await rig.store.call(setRegion, { organization, region: 'eu' });
  const later = { ...again, request: rig.reservation(organization, 1n).request };
  expect(await rig.ledger.reserve(later)).toBe('stale');
  expect(await rig.ledger.findKey('digest two')).toMatchObject({ region: 'eu', epoch: 2n });
  expect(await rig.ledger.findKey('digest none')).toBeNull();
});

test('MONEY 11: a suspended organization is refused at once, with the old epoch or the new', async () => {
  const organization = await rig.organization(100n);
  const running = await rig.hold(organization, 10n);
  await rig.store.call(setStatus, { organization, status: 'suspended' });
  for (const epoch of [0n, 1n]) {
    const reservation = rig.reservation(organization, 1n, { epoch });
    expect(await rig.ledger.reserve(reservation)).toBe('suspended');
  }
  const extension = { request: running, organization, amount: picoUsd(11n), unit: picoUsd(1n) };
  expect(await rig.ledger.extend(extension)).toEqual({ held: 10n });
  await rig.store.call(setStatus, { organization, status: 'active' });
  const reservation = rig.reservation(organization, 1n, { epoch: 2n });
  expect(await rig.ledger.reserve(reservation)).toHaveProperty('held');
});

test('MONEY 11: what runs when its key is revoked keeps its grant and gets no other', async () => {
  const organization = await rig.organization(1_000n);
  const key = await rig.key(organization, 'three');
  const reservation = rig.reservation(organization, 200n, { key });
  expect(await rig.ledger.reserve(reservation)).toHaveProperty('held');
  const { request } = reservation;
  const holdAt = (amount: bigint) =>
    rig.ledger.extend({ request, organization, amount: picoUsd(amount), unit: picoUsd(1n) });
  expect(await holdAt(201n)).toEqual({ held: 201n });
  await rig.store.call(revokeKey, { organization, key, to: 'deleted' });
  expect(await holdAt(202n)).toEqual({ held: 201n });
  const answer = await rig.settle(organization, request, { prompt: 10, completion: 5 });
  expect(answer).toEqual({ cost: 200n });
});

test('a reservation made twice is one hold', async () => {
  const organization = await rig.organization(100n);
  const reservation = rig.reservation(organization, 60n);
  const before = rig.ledger.openHolds;
  const twice = [rig.ledger.reserve(reservation), rig.ledger.reserve(reservation)];
  expect(await Promise.all(twice)).toMatchObject([{ held: {} }, { held: {} }]);
  expect(await rig.ledger.reserve(reservation)).toHaveProperty('held');
  expect(await rig.balance(organization)).toMatchObject({ held: 60n });
  expect(rig.ledger.openHolds).toBe(before + 1);
});

test('a reservation that comes after its own void opens nothing', async () => {
  const organization = await rig.organization(100n);
  const reservation = rig.reservation(organization, 60n);
  const before = rig.ledger.openHolds;
  await rig.void(organization, reservation.request);
  await expect(rig.ledger.reserve(reservation)).rejects.toThrow(LedgerFault);
  expect(await rig.balance(organization)).toMatchObject({ held: 0n });
  expect(rig.ledger.openHolds).toBe(before);
});

test('MONEY 5: nothing is held at a price that is not durable', async () => {
  const organization = await rig.organization(100n);
  const reservation = rig.reservation(organization, 1n, { price: 'prc_unknown' as PriceId });
  await expect(rig.ledger.reserve(reservation)).rejects.toThrow('no price');
});

test('an organization that does not exist makes the key stale', async () => {
  const nobody = 'org_nobody' as never;
  const reservation = rig.reservation(nobody, 1n, { key: 'key_x' as KeyId });
  expect(await rig.ledger.reserve(reservation)).toBe('stale');
});

test('MONEY 1: amounts beyond 2^53 stay exact', async () => {
  const credit = 3_999_999n * PICO_PER_USD + 1n;
  const organization = await rig.organization(credit);
  const odd = 2n ** 53n + 1n;
  const usual = rig.price;
  rig.price = await rig.priceOf(odd, odd + 2n, 3n);
  const tokens = { prompt: 3, completion: 2 };
  const request = await rig.hold(organization, rig.cost(tokens) + 1n, odd);
  expect(await rig.balance(organization)).toMatchObject({ held: 5n * odd + 5n, reserve: odd });
  const amount = picoUsd(6n * odd + 5n);
  const extension = { request, organization, amount, unit: picoUsd(odd) };
  expect(await rig.ledger.extend(extension)).toEqual({ held: amount });
  const answer = await rig.settle(organization, request, tokens);
  expect(answer).toEqual({ cost: 5n * odd + 4n });
  const left = { balance: credit - 5n * odd - 4n, held: 0n, reserve: 0n };
  expect(await rig.balance(organization)).toMatchObject(left);
  rig.price = usual;
});
