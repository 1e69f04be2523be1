/**
 * MONEY 3, decision 0033: the lines of a month's statement and its difference add up to what the
 * transfers of the month took, whatever is folded and whenever charges are given back.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adjustCredit } from '../../../router/ledger/credit.ts';
import { foldLedgerSlice } from '../../../router/usage/ledger-days/fold.ts';
import { readStatement } from '../../../router/usage/statement.ts';
import { ordinalOf, startOf } from '../../../router/usage/time-buckets.ts';
import { picoUsd, parseUsd } from '../../../shared/money.ts';
import { Rig } from '../ledger/rig.ts';
import { type Drawn, Usages } from './rollup-rig.ts';

const DAY_MS = 86_400_000;

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start();
  // The check of meters assumes that requests end within days of their arrival. These took weeks.
  rig.damaged = true;
});
afterAll(() => rig[Symbol.asyncDispose]());

const drawn: fc.Arbitrary<Drawn> = fc.record({
  model: fc.integer({ min: 0, max: 1 }),
  key: fc.integer({ min: 0, max: 4 }),
  status: fc.integer({ min: 0, max: 6 }),
  prompt: fc.integer({ min: 10, max: 5_000 }),
  cached: fc.integer({ min: 0, max: 10 }),
  completion: fc.integer({ min: 0, max: 900 }),
  ttft: fc.constant(null),
  duration: fc.constant(0),
  agoMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 35 * DAY_MS })),
});

type Step =
  | { kind: 'settle'; drawn: readonly Drawn[] }
  | { kind: 'reverse'; index: number }
  | { kind: 'adjust'; amount: bigint }
  | { kind: 'fold'; rows: number }
  | { kind: 'fold days' }
  | { kind: 'wait'; ms: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      drawn: fc.array(drawn, { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('reverse' as const), index: fc.nat(100) }),
  },
  fc.record({ kind: fc.constant('adjust' as const), amount: fc.bigInt({ min: 1n, max: 999n }) }),
  fc.record({ kind: fc.constant('fold' as const), rows: fc.integer({ min: 1, max: 15 }) }),
  fc.record({ kind: fc.constant('fold days' as const) }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(fc.constant(3_600_000), fc.integer({ min: DAY_MS, max: 40 * DAY_MS })),
    }),
  },
);

async function take(usages: Usages, one: Step): Promise<void> {
  const { organization } = usages;
  if (one.kind === 'settle') await usages.settle(one.drawn);
  else if (one.kind === 'reverse') await usages.reverse(one.index);
  else if (one.kind === 'fold') await usages.fold(one.rows);
  else if (one.kind === 'fold days') await foldLedgerSlice(rig.store, { organization });
  else if (one.kind === 'wait') rig.clock.advance(one.ms);
  else {
    const adjustment = { organization, reason: 'a test', reference: 'a test' };
    await adjustCredit(rig.parts, { ...adjustment, amount: picoUsd(one.amount) });
  }
}

/** By month: what the transfers of requests took, and what the requests that arrived cost. */
async function expected({ organization }: Usages) {
  const transfers = (await rig.sql(
    `select amount, kind, created from transfers
     where organization = '${organization}' and kind in ('usage', 'reversal')`,
  )) as { amount: bigint; kind: string; created: bigint }[];
  const usage = (await rig.sql(
    `select model, cost, created from usage where organization = '${organization}'`,
  )) as { model: string; cost: bigint; created: bigint }[];
  const taken = new Map<number, bigint>();
  for (const { amount, kind, created } of transfers) {
    const month = ordinalOf('month', Number(created));
    taken.set(month, (taken.get(month) ?? 0n) + (kind === 'usage' ? amount : -amount));
  }
  const months = Map.groupBy(usage, ({ created }) => ordinalOf('month', Number(created)));
  return { taken, months };
}

async function balanceOf({ organization }: Usages): Promise<bigint> {
  const [account] = (await rig.sql(
    `select balance from accounts where id = '${organization}'`,
  )) as { balance: bigint }[];
  return account?.balance ?? 0n;
}

test('lines and difference add up to the ledger, all differences to nothing, and all months to the balance', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: 14 }),
    async (steps) => {
      const usages = await Usages.open(rig);
      const first = ordinalOf('month', rig.clock.now() - 36 * DAY_MS);
      for (const one of steps) await take(usages, one);
      const { taken, months } = await expected(usages);
      const last = ordinalOf('month', rig.clock.now());
      let differences = 0n;
      let balance = 0n;
      for (let month = first - 1; month <= last + 1; month++) {
        const at = startOf('month', month + 1) - 1;
        const statement = await rig.store.call(readStatement, {
          organization: usages.organization,
          at,
        });
        if (statement === null || statement === 'too_wide') throw new Error('no statement');
        const { models, sums, total, otherMonths } = statement;
        const { opening, payments, credits, refunds, closing } = statement.balance;
        expect(opening).toBe(balance);
        expect(opening + payments + credits + refunds - total).toBe(closing);
        balance = closing;
        const costs = models.map(({ value, figures }) => [value, parseUsd(figures.cost)] as const);
        const arrived = Map.groupBy(months.get(month) ?? [], ({ model }) => model);
        expect(new Map(costs)).toEqual(
          new Map(
            [...arrived].map(([model, rows]) => [
              model,
              rows.reduce((sum, { cost }) => sum + cost, 0n),
            ]),
          ),
        );
        expect(sums.requests).toBe((months.get(month) ?? []).length);
        expect(total).toBe(taken.get(month) ?? 0n);
        const lines = costs.reduce((sum, [, cost]) => sum + (cost ?? 0n), 0n);
        expect(lines + otherMonths).toBe(total);
        differences += otherMonths;
      }
      expect(differences).toBe(0n);
      expect(balance).toBe(await balanceOf(usages));
    },
  );
  await fc.assert(property, { numRuns: 15 });
});
