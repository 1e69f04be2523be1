import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  creditPayment,
  dispute,
  refund,
  reverseDispute,
  reverseRefund,
} from '../../../router/ledger/payments.ts';
import { BALANCE_MAX } from '../../../router/ledger/transfers.ts';
import { listTransfers } from '../../../router/usage/transfers.ts';
import { mintId, type OrganizationId } from '../../../shared/ids.ts';
import { PICO_PER_USD, picoUsd } from '../../../shared/money.ts';
import { Rig } from './rig.ts';
import { setStatus } from './set-organization.ts';

let rig: Rig;
let events = 0;
beforeAll(async () => {
  rig = await Rig.start();
});
// This also checks that `ledger verify` knows every kind of transfer used here.
afterEach(() => rig.check());
afterAll(() => rig[Symbol.asyncDispose]());

const NOBODY = 'org_nobody' as OrganizationId;

function told(organization: OrganizationId, amount: bigint, event = `evt_${events++}`) {
  const created = rig.clock.now();
  return {
    provider: 'stripe',
    event,
    organization,
    amount: picoUsd(amount),
    reference: 'pi_1',
    created,
  };
}

function wanted(organization: OrganizationId, amount: bigint) {
  const id = mintId('transfer', rig.clock, rig.random);
  const created = rig.clock.now();
  return {
    id,
    organization,
    amount: picoUsd(amount),
    reference: 'pi_1',
    reason: 'asked',
    created,
  };
}

const back = (organization: OrganizationId, of: ReturnType<typeof wanted>) =>
  rig.store.call(reverseRefund, {
    refund: of.id,
    organization,
    reason: 'the provider refused',
    created: rig.clock.now(),
  });

async function kinds(organization: OrganizationId) {
  const page = { organization, before: null, limit: 100 };
  const { rows } = await rig.store.call(listTransfers, page);
  return rows.map(({ kind, change }) => [kind, change]);
}

test('MONEY 26: a payment told of twenty times at once is credited once, and each answer names the same transfer', async () => {
  const organization = await rig.organization(0n);
  const event = told(organization, 500n);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => rig.store.call(creditPayment, event)),
  );
  const first = { transfer: expect.stringMatching(/^trf_[0-9a-f]{26}$/), balance: 500n };
  expect(answers[0]).toEqual(first);
  expect(answers).toEqual(answers.map(() => answers[0]));
  const marks = await rig.place.sql(
    `SELECT provider, transfer FROM payment_events WHERE event = '${event.event}'`,
  );
  expect(marks).toEqual([{ provider: 'stripe', transfer: first.transfer }]);
  expect((await kinds(organization))[0]).toEqual(['payment', 500n]);
  expect(await kinds(organization)).toHaveLength(3);
  expect(await rig.balance(organization)).toMatchObject({ balance: 500n });
});

test('MONEY 26: the same event id of another provider is another payment', async () => {
  const organization = await rig.organization(0n);
  const event = told(organization, 5n);
  await rig.store.call(creditPayment, event);
  await rig.store.call(creditPayment, { ...event, provider: 'sandbox' });
  expect(await rig.balance(organization)).toMatchObject({ balance: 10n });
});

test('MONEY 26: a payment that could not be credited leaves no mark, so that it can be told again', async () => {
  const organization = await rig.organization(BALANCE_MAX - 10n);
  const event = told(organization, 11n);
  expect(await rig.store.call(creditPayment, event)).toBe('over_limit');
  expect(await rig.store.call(refund, wanted(organization, 1n))).toHaveProperty('transfer');
  expect(await rig.store.call(creditPayment, event)).toMatchObject({ balance: BALANCE_MAX });
  const huge = told(organization, 9_999_999n * PICO_PER_USD);
  expect(await rig.store.call(creditPayment, huge)).toBe('over_limit');
  expect(await rig.store.call(creditPayment, told(NOBODY, 1n))).toBe('unknown');
});

test('MONEY 4: a refund takes from what is free, before the provider is asked', async () => {
  const organization = await rig.organization(100n);
  await rig.hold(organization, 30n);
  expect(await rig.store.call(refund, wanted(organization, 71n))).toBe('insufficient');
  const asked = wanted(organization, 70n);
  const taken = { transfer: asked.id, balance: 30n };
  expect(await rig.store.call(refund, asked)).toEqual(taken);
  expect(await rig.store.call(refund, asked)).toEqual(taken);
  expect((await kinds(organization))[0]).toEqual(['refund', -70n]);
  expect(await rig.ledger.reserve(rig.reservation(organization, 1n))).toBe('insufficient');
});

test('MONEY 4: of refunds asked for at once, no more are made than there is credit', async () => {
  const organization = await rig.organization(50n);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => rig.store.call(refund, wanted(organization, 7n))),
  );
  expect(answers.filter((answer) => answer === 'insufficient')).toHaveLength(13);
  expect(await rig.balance(organization)).toMatchObject({ balance: 1n });
});

test('MONEY 4: a refund that the provider refuses comes back, once, also where the account is full', async () => {
  const organization = await rig.organization(BALANCE_MAX);
  const asked = wanted(organization, 70n);
  await rig.store.call(refund, asked);
  await rig.store.call(creditPayment, told(organization, 70n));
  const answer = { transfer: `${asked.id}_reversal`, balance: BALANCE_MAX + 70n };
  expect(await back(organization, asked)).toEqual(answer);
  expect(await back(organization, asked)).toEqual(answer);
  expect((await kinds(organization))[0]).toEqual(['refund_reversal', 70n]);
});

test("what is no refund, or another's, cannot come back", async () => {
  const [organization, other] = [await rig.organization(100n), await rig.organization(100n)];
  const asked = wanted(organization, 10n);
  expect(await back(organization, asked)).toBe('unknown');
  await rig.store.call(refund, asked);
  expect(await back(other, asked)).toBe('unknown');
});

test('MONEY 4: a dispute may go negative, and suspends with the very next admission', async () => {
  const organization = await rig.organization(0n);
  await rig.key(organization, 'disputed');
  await rig.store.call(creditPayment, told(organization, 500n));
  await rig.hold(organization, 450n);
  expect(await rig.store.call(dispute, told(organization, 500n))).toMatchObject({ balance: 0n });
  expect(await rig.ledger.findKey('digest disputed')).toMatchObject({ suspended: true, epoch: 1n });
  const input = rig.reservation(organization, 0n, { epoch: 1n });
  expect(await rig.ledger.reserve(input)).toBe('suspended');
  expect(dispute.invalidates?.(told(organization, 1n))).toBe(organization);
});

test('MONEY 4: a suspension for a dispute is lifted only when the balance is made good, and told again it suspends nothing', async () => {
  const organization = await rig.organization(100n);
  const event = told(organization, 150n);
  expect(await rig.store.call(dispute, event)).toMatchObject({ balance: -50n });
  const resume = () => rig.store.call(setStatus, { organization, status: 'active' });
  expect(await resume()).toEqual({ balance: -50n, held: 0n, missing: 50n });
  await rig.store.call(creditPayment, told(organization, 50n));
  expect(await resume()).toBe('done');
  expect(await rig.store.call(dispute, event)).toMatchObject({ balance: 0n });
  await rig.key(organization, 'resumed');
  expect(await rig.ledger.findKey('digest resumed')).toMatchObject({ suspended: false });
  expect(await rig.store.call(dispute, told(NOBODY, 1n))).toBe('unknown');
});

test('MONEY 4: what is held is paid for, whatever has become of the balance since', async () => {
  const organization = await rig.organization(100n);
  const request = await rig.hold(organization, 90n);
  await rig.store.call(dispute, told(organization, 100n));
  const tokens = { prompt: 3, completion: 3 };
  expect(await rig.settle(organization, request, tokens)).toEqual({ cost: 90n });
  expect(await rig.balance(organization)).toMatchObject({ balance: -90n, held: 0n });
});

test('MONEY 4: a dispute that was won comes back once, and the suspension stays for an operator to lift', async () => {
  const organization = await rig.organization(100n);
  await rig.store.call(dispute, told(organization, 500n));
  const won = told(organization, 500n);
  const answers = [1, 2].map(() => rig.store.call(reverseDispute, won));
  expect(await Promise.all(answers)).toMatchObject([{ balance: 100n }, { balance: 100n }]);
  expect((await kinds(organization))[0]).toEqual(['dispute_reversal', 500n]);
  expect(await rig.store.call(setStatus, { organization, status: 'active' })).toBe('done');
});

test('MONEY 2: disputes stop at the bound of 64 bits', async () => {
  const organization = await rig.organization(0n);
  const most = 2n * BALANCE_MAX;
  expect(await rig.store.call(dispute, told(organization, most + 1n))).toBe('over_limit');
  expect(await rig.store.call(dispute, told(organization, most))).toMatchObject({ balance: -most });
});

test('what moves nothing, or the wrong way, is our mistake', async () => {
  const organization = await rig.organization(100n);
  for (const amount of [0n, -1n]) {
    const asks = [
      () => rig.store.call(creditPayment, told(organization, amount)),
      () => rig.store.call(dispute, told(organization, amount)),
      () => rig.store.call(refund, wanted(organization, amount)),
    ];
    for (const ask of asks) await expect(ask()).rejects.toThrow('cannot change a balance');
  }
});
