import { expect, test } from 'vitest';
import { Batcher } from '../../../router/ledger/batch.ts';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import { LedgerFault, StoreUnavailable } from '../../../router/ledger/terms.ts';
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const TOKENS = { prompt: 1, completion: 1 };
const COST = 30n;

test('MONEY 22: while one batch commits the next fills, up to its bound', async () => {
  const organization = await rig.organization(100_000n);
  rig.batches.length = 0;
  const asked = Array.from({ length: 1_100 }, () => rig.reservation(organization, 10n));
  await Promise.all(asked.map((reservation) => rig.ledger.reserve(reservation)));
  // The last batch is reported after its last answer.
  await rig.ledger.findKey('none');
  expect(rig.batches.map(({ operations }) => operations).slice(0, 3)).toEqual([512, 512, 76]);
  await Promise.all(asked.map(({ request }) => rig.void(organization, request)));
});

test('an operation that fails takes no neighbour with it', async () => {
  const [good, bad] = [await rig.organization(1_000n), await rig.organization(1_000n)];
  const [first, second, broken] = [
    await rig.hold(good, 100n),
    await rig.hold(good, 100n),
    await rig.hold(bad, 100n),
  ];
  await rig.settle(bad, await rig.hold(bad, 100n), TOKENS);
  // The next usage row of `bad` will collide with its existing row.
  await rig.sql(`UPDATE accounts SET usage_seq = 0 WHERE id = '${bad}'`);
  const answers = await Promise.allSettled([
    rig.settle(good, first, TOKENS),
    rig.settle(bad, broken, TOKENS),
    rig.settle(good, second, TOKENS),
    rig.ledger.reserve(rig.reservation(good, -1n)),
    rig.ledger.reserve(rig.reservation(good, 5n)),
  ]);
  expect(answers).toMatchObject([
    { value: { cost: COST } },
    { reason: expect.any(LedgerFault) },
    { value: { cost: COST } },
    { reason: expect.any(LedgerFault) },
    { value: { held: {} } },
  ]);
  // The failed operation left no trace: its hold is still open.
  expect(await rig.balance(bad)).toMatchObject({ balance: 970n, held: 100n });
  await rig.sql(`UPDATE accounts SET usage_seq = 1 WHERE id = '${bad}'`);
  expect(await rig.settle(bad, broken, TOKENS)).toEqual({ cost: COST });
});

test('a question about a key that there is not takes no neighbour with it', async () => {
  const organization = await rig.organization(1_000n);
  const key = await rig.key(organization, 'asked');
  const ask = (about: KeyId) =>
    rig.ledger.keyStanding({ organization, key: about, limits: UNLIMITED });
  const answers = await Promise.allSettled([
    ask(key),
    ask('key_unknown' as KeyId),
    rig.ledger.findKey('digest asked'),
    rig.ledger.reserve(rig.reservation(organization, 5n)),
  ]);
  expect(answers).toMatchObject([
    { value: { name: 'asked', spent: 0n } },
    { reason: expect.any(LedgerFault) },
    { value: { key } },
    { value: { held: {} } },
  ]);
});

test('a store that hangs is given up after five seconds, and used again once it answers', async () => {
  const clock = new ManualClock();
  const gate = Promise.withResolvers<{ commitMs: number }>();
  let asked = 0;
  const batcher = new Batcher({
    clock,
    onBatch: () => {},
    store: {
      runBatch(_executor, operations, listener) {
        asked++;
        if (asked === 1) return gate.promise;
        listener.answers(operations.map((_, index) => [index, { answer: null } as never]));
        return Promise.resolve({ commitMs: 0 });
      },
    },
  });
  const ask = () => batcher.submit({ kind: 'findKey', digest: 'x' });
  const [hanging, waiting] = [refused(ask()), refused(tick().then(ask))];
  await tick();
  // A jump of the clock counts as one step, not five, because this process may have been asleep.
  clock.advance(60_000);
  for (let second = 1; second < 5; second++) {
    await tick();
    clock.advance(1_000);
  }
  await Promise.all([hanging, waiting]);
  await refused(ask());
  gate.resolve({ commitMs: 1 });
  await tick();
  expect(await ask()).toBeNull();
});

async function refused(asking: Promise<unknown>): Promise<void> {
  await expect(asking).rejects.toThrow(StoreUnavailable);
}

/** Waits until every batch that is planned has begun, and every promise that can settle has. */
async function tick(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((next) => setImmediate(next));
}

test('asked beyond what it can keep waiting, the ledger refuses at once', async () => {
  const never = new Promise<never>(() => {});
  const clock = new ManualClock();
  const batcher = new Batcher({ clock, onBatch: () => {}, store: { runBatch: () => never } });
  const organization = 'org_x' as OrganizationId;
  let turnedAway = 0;
  for (let n = 0; n < 40_000; n++) {
    const reservation = rig.reservation(organization, 1n);
    batcher
      .submit({
        kind: 'extend',
        extension: { ...reservation, unit: picoUsd(1n) },
        now: clock.now(),
      })
      .catch(() => turnedAway++);
  }
  await tick();
  expect(turnedAway).toBe(40_000 - 32_768);
});
