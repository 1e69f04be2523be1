import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { setMemberCaps } from '../../../router/control/members/procedures.ts';
import type { Outcome } from '../../../router/ledger/operations.ts';
import {
  type KeyId,
  type MemberId,
  mintId,
  type OrganizationId,
  type RequestId,
} from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { unreachable } from '../../../shared/unreachable.ts';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import { CAPPED, type Expected, type RequestOperation, Oracle } from './oracle.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const REQUESTS = 5;
const CREDIT = 400n;

/**
 * An operation without its organization. Its request is one of a few, so that operations on a
 * request come in every order.
 */
type Plan = Readonly<{ request: number } & Step>;
/** The caps of the key, as the request knew them. */
type Caps = Readonly<{ month: bigint | null; day: bigint | null }>;
type Step =
  | ({ kind: 'reserve'; amount: bigint; slice: bigint } & Caps)
  | ({ kind: 'extend'; amount: bigint; unit: bigint } & Caps)
  | ({
      kind: 'settle';
      prompt: number;
      cached: number;
      completion: number;
      wrongBy: bigint;
    } & Caps)
  | { kind: 'void' }
  | { kind: 'free' };

/** A cap, or null if there is none. */
const cap = fc.oneof(fc.constant(null), fc.bigInt(0n, 400n));
const caps = { month: cap, day: cap };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('reserve' as const),
    amount: fc.bigInt(0n, 250n),
    slice: fc.bigInt(0n, 100n),
    ...caps,
  }),
  fc.record({
    kind: fc.constant('extend' as const),
    amount: fc.bigInt(0n, 450n),
    unit: fc.bigInt(1n, 60n),
    ...caps,
  }),
  fc.record({
    kind: fc.constant('settle' as const),
    prompt: fc.integer({ min: 3, max: 8 }),
    cached: fc.integer({ min: 0, max: 3 }),
    completion: fc.integer({ min: 0, max: 6 }),
    wrongBy: fc.oneof({ weight: 9, arbitrary: fc.constant(0n) }, fc.bigInt(-3n, 3n)),
    ...caps,
  }),
  fc.record({ kind: fc.constant('void' as const) }),
  fc.record({ kind: fc.constant('free' as const) }),
);
const plan: fc.Arbitrary<Plan> = fc
  .tuple(fc.integer({ min: 0, max: REQUESTS - 1 }), step)
  .map(([request, taken]) => ({ request, ...taken }));

type Of = Readonly<{
  organization: OrganizationId;
  member: MemberId;
  requests: readonly RequestId[];
}>;

function operationOf({ organization, member, requests }: Of, planned: Plan): RequestOperation {
  const request = requests[planned.request] as RequestId;
  const now = rig.clock.now();
  const key = `key_${organization}` as KeyId;
  switch (planned.kind) {
    case 'reserve': {
      const { amount, slice } = planned;
      const limits = { ...UNLIMITED, ...capsOf(planned) };
      const more = { request, key, member, limits, slice: picoUsd(slice) };
      const reservation = rig.reservation(organization, amount, more);
      return { kind: 'reserve', reservation, incarnation: rig.ledger.incarnation, now };
    }
    case 'extend': {
      const [amount, unit] = [picoUsd(planned.amount), picoUsd(planned.unit)];
      const extension = { request, organization, member, amount, unit, ...capsOf(planned) };
      return { kind: 'extend', extension, now };
    }
    case 'settle': {
      const usage = { ...rig.usage(organization, request, planned), key, member };
      const cost = picoUsd(rig.cost(planned) + planned.wrongBy);
      return { kind: 'settle', usage, cost, ...capsOf(planned), now };
    }
    case 'void': {
      const usage = rig.usage(organization, request, { prompt: 0, completion: 0 });
      return { kind: 'void', usage: { ...usage, key, member }, now };
    }
    case 'free':
      return { kind: 'free', incarnation: rig.ledger.incarnation, request, now };
    default:
      return unreachable(planned);
  }
}

function capsOf({ month, day }: Caps) {
  const capOf = (most: bigint | null) => (most === null ? null : picoUsd(most));
  return { monthlyCap: capOf(month), dailyCap: capOf(day) };
}

async function runBatch(operations: readonly RequestOperation[]): Promise<Expected[]> {
  const outcomes: Expected[] = [];
  for (const [index, outcome] of (await rig.run(operations)).flat()) {
    outcomes[index] = shortOf(outcome);
  }
  return outcomes;
}

function shortOf(outcome: Outcome): Expected {
  if ('fault' in outcome) return 'fault';
  const { answer } = outcome;
  return typeof answer === 'object' && answer !== null && 'capped' in answer ? CAPPED : outcome;
}

/** On a busy machine, the batches of 250 runs take a minute. */
const LONG = { timeout: 240_000 };

test(
  'MONEY 4 to 14: in every order and batching the ledger does what its rules say, and stays solvent',
  LONG,
  async () => {
    const batches = fc.array(fc.array(plan, { minLength: 1, maxLength: 8 }), {
      minLength: 1,
      maxLength: 8,
    });
    let made = 0;
    const property = fc.asyncProperty(batches, cap, async (planned, memberCap) => {
      const organization = await rig.organization(CREDIT);
      const member = await rig.member(organization, `n${made++}`);
      const dailyCap = memberCap === null ? null : picoUsd(memberCap);
      const now = rig.clock.now();
      await rig.store.call(setMemberCaps, { organization, member, change: { dailyCap }, now });
      const oracle = new Oracle(CREDIT, rig.price.price, memberCap);
      const requests = Array.from({ length: REQUESTS }, () =>
        mintId('request', rig.clock, rig.random),
      );
      for (const batch of planned) {
        const operations = batch.map((one) => operationOf({ organization, member, requests }, one));
        expect(await runBatch(operations)).toEqual(oracle.run(operations));
        const { balance, held, reserve } = await rig.balance(organization);
        const ours = { balance: oracle.balance, held: oracle.held, reserve: oracle.reserve };
        expect({ balance, held, reserve }).toEqual(ours);
        expect(balance - held).toBeGreaterThanOrEqual(0n);
      }
    });
    await fc.assert(property, { numRuns: 250 });
    await rig.check();
  },
);

test('T23: prices beyond 2^53 a token and many settlements: what was charged is what left the balance', async () => {
  const tokens = fc.record({
    prompt: fc.integer({ min: 1, max: 5 }),
    cached: fc.integer({ min: 0, max: 1 }),
    completion: fc.integer({ min: 0, max: 5 }),
  });
  const price = fc.tuple(fc.bigInt(0n, 2n ** 54n), fc.bigInt(0n, 2n ** 54n));
  const credit = 3_900_000_000_000_000_000n;
  const usual = rig.price;
  const settlements = fc.array(tokens, { minLength: 1, maxLength: 20 });
  const property = fc.asyncProperty(price, settlements, async (per, all) => {
    rig.price = await rig.priceOf(per[0], per[1], per[0] / 2n);
    const organization = await rig.organization(credit);
    let charged = 0n;
    for (const one of all) {
      const cost = rig.cost(one);
      const request = await rig.hold(organization, cost);
      expect(await rig.settle(organization, request, one)).toEqual({ cost });
      charged += cost;
    }
    expect(await rig.balance(organization)).toMatchObject({ balance: credit - charged, held: 0n });
  });
  await fc.assert(property, { numRuns: 30 });
  rig.price = usual;
  await rig.check();
});
