import { expect, test } from 'vitest';
import { listRates, removeRate, setRate } from '../../../router/identity/rates.ts';
import { priceId } from '../../../router/ledger/prices.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { type Price, picoUsd } from '../../../shared/money.ts';
import { rig, shareRig } from '../ledger/shared-rig.ts';

shareRig();

const MODEL = 'lab/model';
const priceOf = (prompt: bigint, completion: bigint): Price => ({
  prompt: picoUsd(prompt),
  completion: picoUsd(completion),
  cached: picoUsd(0n),
});

const agree = (organization: OrganizationId, model: string, price: Price) =>
  rig.store.call(setRate, { organization, model, price, created: rig.clock.now() });
const list = (organization: OrganizationId, after: string | null = null, limit = 100) =>
  rig.store.call(listRates, { organization, after, limit });
const found = (name: string) => rig.ledger.findKey(`digest ${name}`);

test('MONEY 5: a rate takes effect with the next request, and what is held keeps the price it was held at', async () => {
  const organization = await rig.organization(10_000n);
  const key = await rig.key(organization, 'rated');
  expect(await found('rated')).toMatchObject({ epoch: 0n, rates: [] });
  const early = await rig.hold(organization, 1_000n);

  const price = priceOf(3n, 4n);
  const rate = await agree(organization, MODEL, price);
  const id = priceId({ model: MODEL, price, organization });
  expect(rate).toEqual({ id, model: MODEL, price, created: rig.clock.now() });
  expect(await found('rated')).toMatchObject({ epoch: 1n, rates: [{ id, model: MODEL, price }] });
  expect(await rig.ledger.reserve(rig.reservation(organization, 10n, { key }))).toBe('stale');

  const late = rig.reservation(organization, 1_000n, { key, epoch: 1n, price: id });
  expect(await rig.ledger.reserve(late)).toHaveProperty('held');
  const tokens = { prompt: 10, completion: 5 };
  expect(await rig.settle(organization, early, tokens)).toEqual({ cost: 200n });
  const usage = { ...rig.usage(organization, late.request, tokens), price: id };
  expect(await rig.ledger.settle(usage, picoUsd(50n))).toEqual({ cost: 50n });
});

test('a rate is agreed anew, and taken back, each time with the next epoch', async () => {
  const organization = await rig.organization(1n);
  await rig.key(organization, 'renewed');
  await agree(organization, MODEL, priceOf(3n, 4n));
  await agree(organization, MODEL, priceOf(2n, 4n));
  expect(await list(organization)).toMatchObject([{ model: MODEL, price: priceOf(2n, 4n) }]);
  expect(await found('renewed')).toMatchObject({
    epoch: 2n,
    rates: [{ price: priceOf(2n, 4n) }],
  });
  // The figures of an earlier rate give the same price version again.
  const again = await agree(organization, MODEL, priceOf(3n, 4n));
  const id = priceId({ model: MODEL, price: priceOf(3n, 4n), organization });
  expect(again).toMatchObject({ id });
  const remove = () => rig.store.call(removeRate, { organization, model: MODEL });
  expect(await remove()).toBe('done');
  expect(await found('renewed')).toMatchObject({ epoch: 4n, rates: [] });
  expect(await remove()).toBe('unknown');
  expect(await found('renewed')).toMatchObject({ epoch: 4n });
});

test('a rate is of one organization alone', async () => {
  const [organization, other] = [await rig.organization(1n), await rig.organization(1n)];
  await rig.key(other, 'unrated');
  await agree(organization, MODEL, priceOf(3n, 4n));
  expect(await list(other)).toEqual([]);
  expect(await found('unrated')).toMatchObject({ epoch: 0n, rates: [] });
  expect(await rig.store.call(removeRate, { organization: other, model: MODEL })).toBe('unknown');
  const nobody = 'org_nobody' as OrganizationId;
  expect(await agree(nobody, MODEL, priceOf(1n, 1n))).toBe('unknown');
  expect(await rig.store.call(removeRate, { organization: nobody, model: MODEL })).toBe('unknown');
});

test('rates are listed by model, page by page', async () => {
  const organization = await rig.organization(1n);
  for (const name of ['c', 'a', 'b']) await agree(organization, `lab/${name}`, priceOf(1n, 1n));
  const models = async (after: string | null, limit: number) =>
    (await list(organization, after, limit)).map(({ model }) => model);
  expect(await models(null, 2)).toEqual(['lab/a', 'lab/b']);
  expect(await models('lab/b', 2)).toEqual(['lab/c']);
});

test('MONEY 11: a rate that is set or taken back is announced', () => {
  const organization = 'org_nobody' as OrganizationId;
  const of = { organization, model: MODEL };
  expect(setRate.invalidates?.({ ...of, price: priceOf(1n, 1n), created: 0 })).toBe(organization);
  expect(removeRate.invalidates?.(of)).toBe(organization);
});
