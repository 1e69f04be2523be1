import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../router/ledger/operations.ts';
import { type KeyId, mintId, type OrganizationId, type RequestId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { unreachable } from '../../../shared/unreachable.ts';
import { type RequestOperation, Oracle } from './oracle.ts';
import { rig } from './shared-rig.ts';

const REQUESTS = 5;
const CREDIT = 400n;

/**
 * An operation without its organization. Its request is one of a few, so that operations on a
 * request come in every order.
 */
type Plan = Readonly<{ request: number } & Step>;
type Step =
  | { kind: 'reserve'; amount: bigint; slice: bigint }
  | { kind: 'extend'; amount: bigint; unit: bigint; cap: bigint | null }
  | {
      kind: 'settle';
      prompt: number;
      cached: number;
      completion: number;
      wrongBy: bigint;
      cap: bigint | null;
    }
  | { kind: 'void' }
  | { kind: 'free' };

/** The key's monthly cap, as the request knew it, or null if the key has no cap. */
const cap = fc.oneof(fc.constant(null), fc.bigInt(0n, 400n));
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('reserve' as const),
    amount: fc.bigInt(0n, 250n),
    slice: fc.bigInt(0n, 100n),
  }),
  fc.record({
    kind: fc.constant('extend' as const),
    amount: fc.bigInt(0n, 450n),
    unit: fc.bigInt(1n, 60n),
    cap,
  }),
  fc.record({
    kind: fc.constant('settle' as const),
    prompt: fc.integer({ min: 3, max: 8 }),
    cached: fc.integer({ min: 0, max: 3 }),
    completion: fc.integer({ min: 0, max: 6 }),
    wrongBy: fc.oneof({ weight: 9, arbitrary: fc.constant(0n) }, fc.bigInt(-3n, 3n)),
    cap,
  }),
  fc.record({ kind: fc.constant('void' as const) }),
  fc.record({ kind: fc.constant('free' as const) }),
);
const plan: fc.Arbitrary<Plan> = fc
  .tuple(fc.integer({ min: 0, max: REQUESTS - 1 }), step)
  .map(([request, taken]) => ({ request, ...taken }));

function operationOf(
  organization: OrganizationId,
  requests: readonly RequestId[],
  planned: Plan,
): RequestOperation {
  const request = requests[planned.request] as RequestId;
  const now = rig.clock.now();
  const key = `key_${organization}` as KeyId;
  switch (planned.kind) {
    case 'reserve': {
      const { amount, slice } = planned;
      const more = { request, key, slice: picoUsd(slice) };
      const reservation = rig.reservation(organization, amount, more);
      return { kind: 'reserve', reservation, incarnation: rig.ledger.incarnation, now };
    }
    case 'extend': {
      const [amount, unit] = [picoUsd(planned.amount), picoUsd(planned.unit)];
      const monthlyCap = capOf(planned);
      return {
        kind: 'extend',
        extension: { request, organization, amount, unit, monthlyCap },
        now,
      };
    }
    case 'settle': {
      const usage = { ...rig.usage(organization, request, planned), key };
      const cost = picoUsd(rig.cost(planned) + planned.wrongBy);
      return { kind: 'settle', usage, cost, monthlyCap: capOf(planned), now };
    }
    case 'void': {
      const usage = rig.usage(organization, request, { prompt: 0, completion: 0 });
      return { kind: 'void', usage: { ...usage, key }, now };
    }
    case 'free':
      return { kind: 'free', incarnation: rig.ledger.incarnation, request, now };
    default:
      return unreachable(planned);
  }
}

function capOf({ cap: most }: { cap: bigint | null }) {
  return most === null ? null : picoUsd(most);
}

async function runBatch(operations: readonly RequestOperation[]): Promise<(Outcome | 'fault')[]> {
  const outcomes: (Outcome | 'fault')[] = [];
  for (const [index, outcome] of (await rig.run(operations)).flat()) {
    outcomes[index] = 'fault' in outcome ? 'fault' : outcome;
  }
  return outcomes;
}

test('MONEY 4 to 14: in every order and batching the ledger does what its rules say, and stays solvent', async () => {
  const batches = fc.array(fc.array(plan, { minLength: 1, maxLength: 8 }), {
    minLength: 1,
    maxLength: 8,
  });
  const property = fc.asyncProperty(batches, async (planned) => {
    const organization = await rig.organization(CREDIT);
    const oracle = new Oracle(CREDIT, rig.price.price);
    const requests = Array.from({ length: REQUESTS }, () =>
      mintId('request', rig.clock, rig.random),
    );
    for (const batch of planned) {
      const operations = batch.map((one) => operationOf(organization, requests, one));
      expect(await runBatch(operations)).toEqual(oracle.run(operations));
      const { balance, held, reserve } = await rig.balance(organization);
      const ours = { balance: oracle.balance, held: oracle.held, reserve: oracle.reserve };
      expect({ balance, held, reserve }).toEqual(ours);
      expect(balance - held).toBeGreaterThanOrEqual(0n);
    }
  });
  await fc.assert(property, { numRuns: 250 });
  await rig.check();
});

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
