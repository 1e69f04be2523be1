import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { OrganizationId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { Batcher } from '../../../router/ledger/batch.ts';
import { readBalance } from '../../../router/ledger/credit.ts';
import type { Operation, Outcome } from '../../../router/ledger/operations.ts';
import { ledgerLane } from '../../../router/ledger/sqlite.ts';
import { LedgerFault, StoreUnavailable } from '../../../router/ledger/terms.ts';
import { connect } from '../../../router/store/sqlite/connect.ts';
import type { LaneAnswer } from '../../../router/store/procedure.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { endThread, limitPages } from './registry.ts';
import { Rig } from './rig.ts';

const TOKENS = { prompt: 1, completion: 1 };
const COST = 30n;
const PATIENCE = { timeout: 20_000 };

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start();
});
afterEach(() => rig.check());
afterAll(() => rig[Symbol.asyncDispose]());

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

test('MONEY 25: a batch answers its reservations before it commits its settlements', async () => {
  const organization = await rig.organization(1_000n);
  const request = await rig.hold(organization, 100n);
  const reservation = rig.reservation(organization, 100n);
  const incarnation = rig.ledger.incarnation;
  const now = rig.clock.now();
  const operations: Operation[] = [
    { kind: 'settle', usage: rig.usage(organization, request, TOKENS), cost: picoUsd(COST), now },
    { kind: 'reserve', reservation, incarnation, now },
  ];
  const parts: (readonly LaneAnswer<Outcome>[])[] = [];
  await rig.store.runLane(ledgerLane, operations, (answers) => parts.push(answers));
  expect(parts).toEqual([[[1, { answer: 'held' }]], [[0, { answer: { cost: COST } }]]]);
  await rig.void(organization, reservation.request);
});

test('MONEY 25: reservations are not synced, settlements and voids are', async () => {
  const organization = await rig.organization(1_000n);
  const request = await rig.hold(organization, 100n);
  const reservation = rig.reservation(organization, 100n);
  const [incarnation, now] = [rig.ledger.incarnation, rig.clock.now()];
  const database = connect(rig.file, 'write');
  const said: string[] = [];
  for (const method of ['pragma', 'exec'] as const) {
    const run = database[method].bind(database);
    vi.spyOn(database, method).mockImplementation((source: string) => {
      said.push(source);
      return run(source) as never;
    });
  }
  const usage = rig.usage(organization, request, TOKENS);
  const parts = ledgerLane.openSqlite(database)([
    { kind: 'void', usage: { ...usage, request: reservation.request }, now },
    { kind: 'settle', usage, cost: picoUsd(COST), now },
    { kind: 'reserve', reservation, incarnation, now },
  ]);
  expect([...parts]).toHaveLength(2);
  const transaction = ['BEGIN IMMEDIATE', 'COMMIT'];
  expect(said).toEqual([
    'synchronous = NORMAL',
    ...transaction,
    'synchronous = FULL',
    ...transaction,
  ]);
  database.close();
});

test('an operation that fails takes no neighbour with it', async () => {
  const [good, bad] = [await rig.organization(1_000n), await rig.organization(1_000n)];
  const [first, second, broken] = [
    await rig.hold(good, 100n),
    await rig.hold(good, 100n),
    await rig.hold(bad, 100n),
  ];
  await rig.settle(bad, await rig.hold(bad, 100n), TOKENS);
  // Its next usage row will collide with the one that it has.
  rig.sql(`UPDATE accounts SET usage_seq = 0 WHERE id = '${bad}'`);
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
    { value: 'held' },
  ]);
  // Of the one that failed nothing is left: its hold is still open.
  expect(await rig.balance(bad)).toMatchObject({ balance: 970n, held: 100n });
  rig.sql(`UPDATE accounts SET usage_seq = 1 WHERE id = '${bad}'`);
  expect(await rig.settle(bad, broken, TOKENS)).toEqual({ cost: COST });
});

test('a full disk: every operation is refused as unknown, nothing is applied, and it heals', async () => {
  const organization = await rig.organization(1_000_000n);
  const running = await rig.hold(organization, 100n);
  await rig.store.call(limitPages, 1);
  const asked = Array.from({ length: 500 }, () => rig.reservation(organization, 10n));
  const answers = await Promise.allSettled(
    asked.map((reservation) => rig.ledger.reserve(reservation)),
  );
  for (const answer of answers) {
    expect(answer).toMatchObject({ reason: expect.any(StoreUnavailable) });
  }
  expect(await rig.balance(organization)).toMatchObject({ held: 100n });
  await rig.store.call(limitPages, null);
  expect(await rig.settle(organization, running, TOKENS)).toEqual({ cost: COST });
  const again = asked.map((reservation) => rig.ledger.reserve(reservation));
  expect(new Set(await Promise.all(again))).toEqual(new Set(['held']));
  expect(await rig.balance(organization)).toMatchObject({ held: 5_000n });
});

test('a store thread that dies refuses what it was asked, and is replaced', async () => {
  const organization = await rig.organization(1_000n);
  const request = await rig.hold(organization, 100n);
  const dying = rig.store.call(endThread, null);
  const behind = rig.settle(organization, request, TOKENS);
  await expect(dying).rejects.toThrow(StoreUnavailable);
  await expect(behind).rejects.toThrow(StoreUnavailable);
  await expect(rig.settle(organization, request, TOKENS)).rejects.toThrow(StoreUnavailable);
  // The reader is another thread: reading goes on.
  expect(await rig.store.call(readBalance, organization)).toMatchObject({ balance: 1_000n });
  rig.clock.advance(100);
  const settle = () => rig.settle(organization, request, TOKENS).catch(() => 'not yet');
  await expect.poll(settle, PATIENCE).toEqual({ cost: COST });
});

test('a store that hangs is given up after five seconds, and used again once it answers', async () => {
  const clock = new ManualClock();
  const gate = Promise.withResolvers<{ commitMs: number }>();
  let asked = 0;
  const batcher = new Batcher({
    clock,
    onBatch: () => {},
    store: {
      runLane(_lane, operations, onAnswers) {
        asked++;
        if (asked === 1) return gate.promise;
        onAnswers(operations.map((_, index) => [index, { answer: null } as never]));
        return Promise.resolve({ commitMs: 0 });
      },
    },
  });
  const ask = () => batcher.submit({ kind: 'findKey', digest: 'x' });
  const [hanging, waiting] = [refused(ask()), refused(tick().then(ask))];
  await tick();
  // A leap of the clock is one step, not five: this process may have been asleep.
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

/** Long enough for every promise that can settle now. */
async function tick(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test('asked beyond what it can keep waiting, the ledger refuses at once', async () => {
  const never = new Promise<never>(() => {});
  const clock = new ManualClock();
  const batcher = new Batcher({ clock, onBatch: () => {}, store: { runLane: () => never } });
  const organization = 'org_x' as OrganizationId;
  let turnedAway = 0;
  for (let n = 0; n < 40_000; n++) {
    const reservation = rig.reservation(organization, 1n);
    batcher
      .submit({
        kind: 'extend',
        extension: { ...reservation, want: picoUsd(1n), unit: picoUsd(1n) },
      })
      .catch(() => turnedAway++);
  }
  await tick();
  expect(turnedAway).toBe(40_000 - 32_768);
});
