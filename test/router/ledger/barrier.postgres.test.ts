/**
 * Batches commit asynchronously. A settlement is answered only after a later commit has made it
 * durable.
 */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../router/ledger/terms.ts';
import type { BatchExecutor, BatchConnection, Procedure } from '../../../router/store/procedure.ts';
import type { Store } from '../../../router/store/store.ts';
import { picoUsd } from '../../../shared/money.ts';
import { Rig } from './rig.ts';

const TOKENS = { prompt: 1, completion: 1 };
const COST = 30n;

/** A store whose barrier the test delays or makes fail. */
class Harbour implements Store {
  readonly #store: Store;
  #gate: PromiseWithResolvers<void> | null = null;
  #failing = false;
  reached = Promise.withResolvers<void>();

  constructor(store: Store) {
    this.#store = store;
  }

  close(): () => void {
    this.#gate = Promise.withResolvers();
    this.reached = Promise.withResolvers();
    return this.#gate.resolve;
  }

  fail(failing: boolean): void {
    this.#failing = failing;
  }

  readonly call: Store['call'] = (procedure, input) => this.#store.call(procedure, input);

  readonly runBatch: Store['runBatch'] = (executor, operations, listener) =>
    this.#store.runBatch(this.#behind(executor), operations, listener);

  readonly onAnnouncement: Store['onAnnouncement'] = (listener) =>
    this.#store.onAnnouncement(listener);

  async [Symbol.asyncDispose](): Promise<void> {}

  #behind<Operation, Answer>(
    executor: BatchExecutor<Operation, Answer>,
  ): BatchExecutor<Operation, Answer> {
    return {
      ...executor,
      // A connection keeps its runners by name, and the rig's own ledger already has a runner.
      name: `${executor.name} behind a gate`,
      openPostgres: (connection) => executor.openPostgres(this.#gated(connection)),
    };
  }

  #gated(connection: BatchConnection): BatchConnection {
    return {
      query: (query) => connection.query(query),
      durable: async () => {
        this.reached.resolve();
        await this.#gate?.promise;
        if (this.#failing) throw new StoreUnavailable('the barrier was not answered');
        await connection.durable();
      },
    };
  }
}

test('MONEY 23: reservations and extensions are answered at once, settlements and voids only after the barrier', async () => {
  await using rig = await Rig.start();
  const harbour = new Harbour(rig.store);
  const ledger = await rig.openLedger({ store: harbour });
  const organization = await rig.organization(1_000n);
  const hold = async () => {
    const reservation = rig.reservation(organization, 100n);
    expect(await ledger.reserve(reservation)).toHaveProperty('held');
    return reservation.request;
  };
  const [first, second] = [await hold(), await hold()];
  const open = harbour.close();
  const answered: string[] = [];
  const settling = rig.settle(organization, first, TOKENS, ledger).finally(() => {
    answered.push('settled');
  });
  await harbour.reached.promise;
  const voiding = rig.void(organization, second, ledger).finally(() => answered.push('voided'));
  // Other operations continue while these wait. The waiting ones have already committed, but could
  // still be lost.
  const third = await hold();
  const [amount, unit] = [picoUsd(101n), picoUsd(1n)];
  expect(await ledger.extend({ request: third, organization, amount, unit })).toEqual({
    held: 101n,
  });
  expect(await rig.balance(organization)).toMatchObject({ balance: 970n, held: 101n });
  expect(answered).toEqual([]);
  open();
  expect(await settling).toEqual({ cost: COST });
  await voiding;
  expect(answered).toEqual(['settled', 'voided']);
});

test('MONEY 23: a barrier that fails leaves nothing known; asked again under the same id, it is charged once', async () => {
  await using rig = await Rig.start();
  const harbour = new Harbour(rig.store);
  const ledger = await rig.openLedger({ store: harbour });
  const organization = await rig.organization(1_000n);
  const reservation = rig.reservation(organization, 100n);
  await ledger.reserve(reservation);
  const settle = () => rig.settle(organization, reservation.request, TOKENS, ledger);
  harbour.fail(true);
  await expect(settle()).rejects.toThrow(StoreUnavailable);
  await expect(settle()).rejects.toThrow(StoreUnavailable);
  expect(ledger.openHolds).toBe(1);
  harbour.fail(false);
  expect(await settle()).toEqual({ cost: COST });
  expect(await settle()).toEqual({ cost: COST });
  expect(await rig.balance(organization)).toMatchObject({ balance: 970n, held: 0n });
});

test('MONEY 23: what the ledger commits does not wait for the disk, what the control plane commits does', async () => {
  await using rig = await Rig.start();
  const asking = { name: 'asking', text: 'SHOW synchronous_commit' };
  const executor: BatchExecutor<null, unknown> = {
    name: 'asking',
    openSqlite: () => expect.unreachable(),
    openPostgres: (connection) => async (_operations, listener) => {
      const [row] = await connection.query(asking);
      listener.answers([[0, row]]);
    },
  };
  const told: unknown[] = [];
  const listener = {
    answers: ([answer]: readonly unknown[]) => void told.push(answer),
    ready() {},
  };
  await rig.store.runBatch(executor, [null], listener);
  const request: Procedure<null, unknown> = {
    name: 'ask',
    access: 'write',
    async run(db) {
      const { rows } = await sql`SHOW synchronous_commit`.execute(db);
      return rows[0];
    },
  };
  told.push(await rig.store.call(request, null));
  expect(told).toEqual([[0, { synchronous_commit: 'off' }], { synchronous_commit: 'on' }]);
});
