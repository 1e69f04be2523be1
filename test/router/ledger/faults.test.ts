/**
 * Damage in the store affects only its own organization. An operation that cannot be done fails
 * with a fault and is retried. When the store or its connection fails, the result is unknown and is
 * no fault of the operation.
 */
import { expect, test } from 'vitest';
import type { OpenLedger } from '../../../router/ledger/ledger.ts';
import { LedgerFault, StoreUnavailable } from '../../../router/ledger/terms.ts';
import type { KeyId, OrganizationId, RequestId } from '../../../shared/ids.ts';
import type { Log } from '../../../shared/log.ts';
import { picoUsd } from '../../../shared/money.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { FaultyStore } from './faulty-store.ts';
import { LOG, Rig } from './rig.ts';

const TOKENS = { prompt: 1, completion: 1 };
const COST = 30n;

/**
 * Two customers with holds under one router. The account of `bad` wrongly says that nothing is
 * held.
 */
async function damage(rig: Rig, ledger: OpenLedger) {
  const [good, bad] = [await rig.organization(1_000n), await rig.organization(1_000n)];
  const holdOf = async (organization: OrganizationId): Promise<RequestId> => {
    const key = `key_${organization}` as KeyId;
    const reservation = rig.reservation(organization, 100n, { key });
    expect(await ledger.reserve(reservation)).toHaveProperty('held');
    return reservation.request;
  };
  // In several orders of their ids, because the order must not decide the result.
  const holds = [await holdOf(bad), await holdOf(good), await holdOf(bad), await holdOf(good)];
  await rig.sql(`UPDATE accounts SET held = 0 WHERE id = '${bad}'`);
  const repair = () => rig.sql(`UPDATE accounts SET held = 200 WHERE id = '${bad}'`);
  return { good, bad, holds, repair };
}

const openHolds = async (rig: Rig) => {
  const rows = (await rig.sql('SELECT organization FROM holds')) as { organization: string }[];
  return rows.map(({ organization }) => organization);
};

const incarnations = async (rig: Rig) => {
  const rows = (await rig.sql('SELECT id FROM incarnations')) as { id: string }[];
  return rows.map(({ id }) => id);
};

/** Returns a log, and the error messages that it receives. */
function listening(): { log: Log; errors: string[] } {
  const errors: string[] = [];
  const error = (_fields: object, message: string) => void errors.push(message);
  return { log: Object.assign(Object.create(LOG) as Log, { error }), errors };
}

test('MONEY 20: a hold that cannot be freed keeps no other from being freed, is told of, and tried again', async () => {
  await using rig = await Rig.start();
  const faulty = new FaultyStore(rig.store);
  const { log, errors } = listening();
  const faults: string[] = [];
  const onFault = (kind: string) => void faults.push(kind);
  const ledger = await rig.openLedger({ store: faulty, log, onFault });
  const { good, bad, holds, repair } = await damage(rig, ledger);
  // The requests have ended and nothing retries their voids, so the heartbeats must free their
  // holds.
  faulty.fault = 'unreached';
  for (const request of holds) {
    await expect(rig.void(good, request, ledger)).rejects.toThrow(StoreUnavailable);
  }
  faulty.fault = 'none';
  await ledger.heartbeat();
  expect(await openHolds(rig)).toEqual([bad, bad]);
  expect(await rig.balance(good)).toMatchObject({ held: 0n });
  expect(errors).toEqual(['failed to free holds; the next heartbeat tries again']);
  expect(faults).toEqual(['free', 'free']);
  expect(ledger.isHealthy()).toBe(true);
  await repair();
  await ledger.heartbeat();
  expect(await openHolds(rig)).toEqual([]);
});

test('MONEY 19: a dead router stays known for as long as one of its holds is left, and the other holds are freed', async () => {
  await using rig = await Rig.start();
  const dead = await rig.openLedger({ clock: new ManualClock() });
  const alsoDead = await rig.openLedger({ clock: new ManualClock() });
  const { bad, repair } = await damage(rig, dead);
  await alsoDead.reserve(rig.reservation(await rig.organization(1_000n), 100n));
  await rig.pass(40_000, rig.ledger);
  expect(await openHolds(rig)).toEqual([bad, bad]);
  expect((await incarnations(rig)).toSorted()).toEqual(
    [rig.ledger.incarnation, dead.incarnation].toSorted(),
  );
  await repair();
  await rig.ledger.heartbeat();
  expect(await openHolds(rig)).toEqual([]);
  expect(await incarnations(rig)).toEqual([rig.ledger.incarnation]);
});

test('MONEY 19: a router that stops in good order leaves nothing that its peers cannot sweep', async () => {
  await using rig = await Rig.start();
  const stopping = await rig.openLedger();
  const { bad, repair } = await damage(rig, stopping);
  await stopping[Symbol.asyncDispose]();
  expect(await openHolds(rig)).toEqual([bad, bad]);
  expect(await incarnations(rig)).toContain(stopping.incarnation);
  await repair();
  // The sweep does not wait for the time to live, because the router reported its own end.
  await rig.ledger.heartbeat();
  expect(await openHolds(rig)).toEqual([]);
  expect(await incarnations(rig)).toEqual([rig.ledger.incarnation]);
});

test("one customer's damaged account fails that customer's operations alone, in a batch of many", async () => {
  await using rig = await Rig.start();
  const { good, bad, holds, repair } = await damage(rig, rig.ledger);
  const of = [bad, good, bad, good];
  const settle = (request: RequestId, index: number) => {
    const organization = of[index] as OrganizationId;
    const key = `key_${organization}` as KeyId;
    return rig.ledger.settle({ ...rig.usage(organization, request, TOKENS), key }, picoUsd(COST));
  };
  const others = Array.from({ length: 200 }, () => rig.reservation(good, 1n));
  const [settled, reserved] = await Promise.all([
    Promise.allSettled(holds.map(settle)),
    Promise.all(others.map((reservation) => rig.ledger.reserve(reservation))),
  ]);
  expect(settled).toMatchObject([
    { reason: expect.any(LedgerFault) },
    { value: { cost: COST } },
    { reason: expect.any(LedgerFault) },
    { value: { cost: COST } },
  ]);
  for (const answer of reserved) expect(answer).toHaveProperty('held');
  await repair();
});

test('a table that is away for a moment is no fault of what was asked: unknown, and done when asked again', async () => {
  await using rig = await Rig.start();
  const organization = await rig.organization(1_000n);
  const faults: string[] = [];
  const ledger = await rig.openLedger({ onFault: (kind) => void faults.push(kind) });
  const { request } = rig.reservation(organization, 100n);
  const reservation = { ...rig.reservation(organization, 100n), request };
  expect(await ledger.reserve(reservation)).toHaveProperty('held');
  for (const table of ['accounts', 'holds', 'usage']) {
    await rig.sql(`ALTER TABLE ${table} RENAME TO elsewhere`);
    await expect(rig.settle(organization, request, TOKENS, ledger)).rejects.toThrow(
      StoreUnavailable,
    );
    await rig.sql(`ALTER TABLE elsewhere RENAME TO ${table}`);
  }
  expect(await rig.settle(organization, request, TOKENS, ledger)).toEqual({ cost: COST });
  expect(faults).toEqual([]);
});

test('a column that a later version adds changes nothing for the one that runs', async () => {
  await using rig = await Rig.start();
  const organization = await rig.organization(1_000n);
  const requests = [
    await rig.hold(organization, 100n),
    await rig.hold(organization, 100n),
    await rig.hold(organization, 100n),
  ] as const;
  expect(await rig.settle(organization, requests[0], TOKENS)).toEqual({ cost: COST });
  for (const table of ['accounts', 'holds', 'usage', 'meters', 'transfers', 'incarnations']) {
    await rig.sql(`ALTER TABLE ${table} ADD COLUMN later int8 NOT NULL DEFAULT 7`);
  }
  // No operation is refused or unknown: the prepared statements remain valid.
  expect(await rig.settle(organization, requests[1], TOKENS)).toEqual({ cost: COST });
  const amount = picoUsd(150n);
  const extension = { request: requests[2], organization, amount, unit: picoUsd(1n) };
  expect(await rig.ledger.extend(extension)).toEqual({ held: 150n });
  await rig.void(organization, requests[2]);
  await rig.ledger.heartbeat();
  expect(await rig.balance(organization)).toMatchObject({ balance: 940n, held: 0n });
});
