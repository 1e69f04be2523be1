import { copyFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { ledgerExecutor } from '../../../router/ledger/batch-executor.ts';
import { readBalance } from '../../../router/ledger/credit.ts';
import type { Operation, Outcome } from '../../../router/ledger/operations.ts';
import { StoreUnavailable } from '../../../router/ledger/terms.ts';
import type { BatchAnswer } from '../../../router/store/procedure.ts';
import { picoUsd } from '../../../shared/money.ts';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import { endThread, failSyncs, limitPages, readSynchronous } from './registry.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const TOKENS = { prompt: 1, completion: 1 };
const COST = 30n;
const PATIENCE = { timeout: 20_000 };

test('MONEY 25: a batch answers its reservations before its settlements', async () => {
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

test('MONEY 25: settlements and voids are answered once the log is synced, and only they wait', async () => {
  const organization = await rig.organization(1_000n);
  const hold = () => rig.hold(organization, 100n);
  const [settled, voided] = [await hold(), await hold()];
  const reservation = rig.reservation(organization, 100n);
  const [incarnation, now] = [rig.ledger.incarnation, rig.clock.now()];
  const answers: BatchAnswer<Outcome>[] = [];
  await rig.store.call(failSyncs, true);
  const batch = rig.store.runBatch(
    ledgerExecutor,
    [
      { kind: 'void', usage: rig.usage(organization, voided, TOKENS), now },
      { kind: 'settle', usage: rig.usage(organization, settled, TOKENS), cost: picoUsd(COST), now },
      { kind: 'reserve', reservation, incarnation, now },
    ],
    { answers: (part) => void answers.push(...part), ready: () => {} },
  );
  await expect(batch).rejects.toThrow(StoreUnavailable);
  expect(answers).toMatchObject([[2, { answer: { held: {} } }]]);
  await rig.store.call(failSyncs, false);
  await rig.void(organization, reservation.request);
});

test('a sync that fails: the charge is not answered, and once it is, it does not depend on the log', async () => {
  const organization = await rig.organization(1_000n);
  const request = await rig.hold(organization, 100n);
  await rig.store.call(failSyncs, true);
  await expect(rig.settle(organization, request, TOKENS)).rejects.toThrow(StoreUnavailable);
  await expect(rig.settle(organization, request, TOKENS)).rejects.toThrow(StoreUnavailable);
  await rig.store.call(failSyncs, false);
  expect(await rig.settle(organization, request, TOKENS)).toEqual({ cost: COST });
  // What the disk would have if all of the log were lost.
  const file = rig.place.url.slice('sqlite:'.length);
  const copy = `${file}.copy`;
  copyFileSync(file, copy);
  const database = new BetterSqlite3(copy);
  const cost = database.prepare('SELECT cost FROM usage WHERE request = ?').pluck().get(request);
  expect(cost).toBe(Number(COST));
  database.close();
});

test('after a sync that failed nothing is written while another connection reads the log', async () => {
  const organization = await rig.organization(1_000n);
  const request = await rig.hold(organization, 100n);
  const other = new BetterSqlite3(rig.place.url.slice('sqlite:'.length), { readonly: true });
  other.exec('BEGIN');
  other.prepare('SELECT count(*) FROM usage').get();
  await rig.store.call(failSyncs, true);
  const settle = () => rig.settle(organization, request, TOKENS);
  await expect(settle()).rejects.toThrow('could not be synced');
  await expect(settle()).rejects.toThrow('the log is still in use');
  await expect(rig.store.call(failSyncs, false)).rejects.toThrow('the log is still in use');
  other.close();
  await rig.store.call(failSyncs, false);
  expect(await settle()).toEqual({ cost: COST });
});

test('write procedures are synced when they commit, also after a batch', async () => {
  await rig.hold(await rig.organization(1_000n), 100n);
  expect(await rig.store.call(readSynchronous, null)).toBe(2);
});

test('a booking that conflicts with the stored data does not count the requests beside it twice', async () => {
  const [good, bad] = [await rig.organization(1_000n), await rig.organization(1_000n)];
  const request = await rig.hold(bad, 100n);
  await rig.sql(`UPDATE accounts SET held = 0 WHERE id = '${bad}'`);
  const [incarnation, now] = [rig.ledger.incarnation, rig.clock.now()];
  const rate = { requestsPerMinute: 10, tokensPerMinute: null, concurrentRequests: null };
  const limits = { ...UNLIMITED, organization: rate };
  const reservations = [1, 2, 3].map(() => rig.reservation(good, 10n, { limits }));
  const usage = rig.usage(bad, request, TOKENS);
  const [atOnce, onceDurable] = await rig.run([
    ...reservations.map(
      (reservation) => ({ kind: 'reserve', reservation, incarnation, now }) as const,
    ),
    { kind: 'settle', usage, cost: picoUsd(COST), now },
  ]);
  expect(onceDurable).toMatchObject([[3, { fault: expect.stringContaining('accounts_held') }]]);
  const remaining = { held: { requests: { remaining: 7 } } };
  expect(atOnce?.at(-1)).toMatchObject([2, { answer: remaining }]);
  await rig.sql(`UPDATE accounts SET held = 100 WHERE id = '${bad}'`);
  for (const each of reservations) await rig.void(good, each.request);
  await rig.void(bad, request);
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
