import { expect, test, vi } from 'vitest';
import { ledgerExecutor } from '../../../router/ledger/batch-executor.ts';
import { readBalance } from '../../../router/ledger/credit.ts';
import type { Operation } from '../../../router/ledger/operations.ts';
import { StoreUnavailable } from '../../../router/ledger/terms.ts';
import { connect } from '../../../router/store/sqlite/connect.ts';
import { picoUsd } from '../../../shared/money.ts';
import { endThread, limitPages } from './registry.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const TOKENS = { prompt: 1, completion: 1 };
const COST = 30n;
const PATIENCE = { timeout: 20_000 };

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
  expect(await rig.run(operations)).toMatchObject([
    [[1, { answer: { held: {} } }]],
    [[0, { answer: { cost: COST } }]],
  ]);
  await rig.void(organization, reservation.request);
});

test('MONEY 25: reservations are not synced, settlements and voids are', async () => {
  const organization = await rig.organization(1_000n);
  const request = await rig.hold(organization, 100n);
  const reservation = rig.reservation(organization, 100n);
  const [incarnation, now] = [rig.ledger.incarnation, rig.clock.now()];
  const database = connect(rig.place.url.slice('sqlite:'.length), 'write');
  const said: string[] = [];
  for (const method of ['pragma', 'exec'] as const) {
    const run = database[method].bind(database);
    vi.spyOn(database, method).mockImplementation((source: string) => {
      said.push(source);
      return run(source) as never;
    });
  }
  const usage = rig.usage(organization, request, TOKENS);
  const transactions = ledgerExecutor.openSqlite(database)([
    { kind: 'void', usage: { ...usage, request: reservation.request }, now },
    { kind: 'settle', usage, cost: picoUsd(COST), now },
    { kind: 'reserve', reservation, incarnation, now },
  ]);
  expect([transactions.next().done, transactions.next().done]).toEqual([false, true]);
  const transaction = ['BEGIN IMMEDIATE', 'COMMIT'];
  expect(said).toEqual([
    'synchronous = NORMAL',
    ...transaction,
    'synchronous = FULL',
    ...transaction,
  ]);
  database.close();
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
  for (const answer of await Promise.all(again)) expect(answer).toHaveProperty('held');
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
  // The reader is another thread, so reads still work.
  expect(await rig.store.call(readBalance, organization)).toMatchObject({ balance: 1_000n });
  rig.clock.advance(100);
  const settle = () => rig.settle(organization, request, TOKENS).catch(() => 'not yet');
  await expect.poll(settle, PATIENCE).toEqual({ cost: COST });
});
