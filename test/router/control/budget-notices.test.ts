/** An organization is told once in a month of each threshold of its budget that it reaches. */
import { expect, test } from 'vitest';
import { budgetTask } from '../../../router/control/budgets/notices.ts';
import { noteBudget, setBudget } from '../../../router/control/budgets/procedures.ts';
import { StoreUnavailable } from '../../../router/store/errors.ts';
import type { Store } from '../../../router/store/store.ts';
import { ledgerFolds } from '../../../router/usage/ledger-days/fold-task.ts';
import { readSpendByDay } from '../../../router/usage/ledger-days/spend.ts';
import { mintId, type OrganizationId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { rig, shareRig } from '../ledger/shared-rig.ts';

shareRig();

const DAY_MS = 24 * 60 * 60 * 1000;
const CREDIT = 5_000_000_000_000n;
/** The cost of 100 tokens of a prompt. */
const STEP = 1_000n;

const setTo = async (organization: OrganizationId, amount: bigint | null) =>
  expect(
    await rig.store.call(setBudget, {
      organization,
      amount: amount === null ? null : picoUsd(amount),
    }),
  ).toBe('done');

/** A customer with a budget of ten steps. */
async function customer(): Promise<OrganizationId> {
  const organization = await rig.organization(CREDIT);
  await setTo(organization, 10n * STEP);
  return organization;
}

async function spend(organization: OrganizationId, steps: number): Promise<void> {
  const now = rig.clock.now();
  const request = mintId('request', rig.clock, rig.random);
  const usage = rig.usage(organization, request, { prompt: 100 * steps, completion: 0 });
  await rig.run([{ kind: 'settle', usage, cost: picoUsd(STEP * BigInt(steps)), now }]);
}

/** Runs the scheduled task, as three routers do at the same time. */
async function round(): Promise<void> {
  await Promise.all([1, 2, 3].map(() => budgetTask(rig).run()));
  rig.clock.advance(1_000);
}

async function told(organization: OrganizationId): Promise<number[]> {
  const rows = await rig.place.sql(
    `select payload from jobs where kind = 'letter' and subject = '${organization}' order by created`,
  );
  return rows.map((row) => JSON.parse((row as { payload: string }).payload).percent);
}

/** Advances the clock to the middle of the next month. */
function nextMonth(): void {
  const now = new Date(rig.clock.now());
  const to = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15);
  rig.clock.advance(to - rig.clock.now());
}

test('each threshold is told once, however many routers look', async () => {
  nextMonth();
  const organization = await customer();
  await spend(organization, 4);
  await round();
  expect(await told(organization)).toEqual([]);
  await spend(organization, 1);
  await round();
  await round();
  expect(await told(organization)).toEqual([50]);
  await spend(organization, 3);
  await round();
  expect(await told(organization)).toEqual([50, 80]);
  await spend(organization, 2);
  await round();
  await spend(organization, 20);
  await round();
  expect(await told(organization)).toEqual([50, 80, 100]);
});

test('the highest of several thresholds is told, with the figures and the month', async () => {
  const organization = await customer();
  await spend(organization, 9);
  await round();
  const [row] = await rig.place.sql(
    `select payload from jobs where kind = 'letter' and subject = '${organization}'`,
  );
  const now = new Date(rig.clock.now());
  expect(JSON.parse((row as { payload: string }).payload)).toEqual({
    kind: 'budget',
    organization,
    percent: 80,
    spent: '0.000000009',
    budget: '0.00000001',
    month: now.toISOString().slice(0, 7),
  });
});

test('a new month begins with nothing spent and with new notices', async () => {
  const organization = await customer();
  await spend(organization, 10);
  await round();
  nextMonth();
  await round();
  expect(await told(organization)).toEqual([100]);
  await spend(organization, 5);
  await round();
  expect(await told(organization)).toEqual([100, 50]);
});

test('what is folded and what is not count together', async () => {
  const organization = await customer();
  await spend(organization, 3);
  rig.clock.advance(DAY_MS);
  await ledgerFolds(rig).run();
  await spend(organization, 2);
  await round();
  expect(await told(organization)).toEqual([50]);
});

test('a new amount starts new notices, and without a budget there are none', async () => {
  const organization = await customer();
  await spend(organization, 10);
  await round();
  await setTo(organization, 20n * STEP);
  await round();
  expect(await told(organization)).toEqual([100, 50]);
  await setTo(organization, null);
  await spend(organization, 30);
  await round();
  expect(await told(organization)).toEqual([100, 50]);
});

test('the same amount again starts no new notices', async () => {
  const organization = await customer();
  await spend(organization, 10);
  await round();
  await setTo(organization, 10n * STEP);
  await round();
  expect(await told(organization)).toEqual([100]);
});

test('an organization whose spend cannot be read now does not keep others from their notices', async () => {
  const [broken, other] = [await customer(), await customer()].toSorted();
  await spend(other as OrganizationId, 5);
  const store = {
    call: ((procedure, input) => {
      const { organization } = input as { organization?: OrganizationId };
      const isBroken = procedure.name === readSpendByDay.name && organization === broken;
      return isBroken
        ? Promise.reject(new StoreUnavailable('too many transfers wait'))
        : rig.store.call(procedure, input);
    }) as Store['call'],
  };
  await budgetTask({ ...rig.parts, store }).run();
  expect(await told(other as OrganizationId)).toEqual([50]);
});

test('a notice about a budget that was changed in the meantime is not sent', async () => {
  const organization = await customer();
  const budget = { organization, amount: 10n * STEP, noted: 0 };
  await setTo(organization, 40n * STEP);
  const note = { budget, month: 24_300n, percent: 100, spent: 10n * STEP, now: rig.clock.now() };
  expect(await rig.store.call(noteBudget, note)).toBe('nothing');
  expect(await told(organization)).toEqual([]);
});
