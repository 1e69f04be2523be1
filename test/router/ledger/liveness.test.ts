import { expect, test } from 'vitest';
import type { Operation, Outcome } from '../../../router/ledger/operations.ts';
import { StoreUnavailable } from '../../../router/ledger/terms.ts';
import type { Clock } from '../../../shared/clock.ts';
import { mintId, type RequestId } from '../../../shared/ids.ts';
import { picoUsd } from '../../../shared/money.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { FaultyStore } from './faulty-store.ts';
import { Rig } from './rig.ts';

const TOKENS = { prompt: 1, completion: 1 };
const COST = 30n;

test('MONEY 19: a router silent for a whole time to live loses its holds; one that beats does not', async () => {
  await using rig = await Rig.start();
  const peer = await rig.openLedger();
  // The clock of this router does not advance, so the router sends no heartbeat.
  const dead = await rig.openLedger({ clock: new ManualClock() });
  const organization = await rig.organization(1_000n);
  const [kept, lost] = [rig.reservation(organization, 300n), rig.reservation(organization, 400n)];
  await peer.reserve(kept);
  await dead.reserve({ ...lost, slice: picoUsd(50n) });
  await rig.pass(30_000, rig.ledger, peer);
  expect(await rig.balance(organization)).toMatchObject({ held: 700n, reserve: 50n });
  await rig.pass(10_000, rig.ledger, peer);
  expect(await rig.balance(organization)).toMatchObject({ held: 300n, reserve: 0n });
  expect(await rig.sql('SELECT request FROM holds')).toEqual([{ request: kept.request }]);
  // There is no usage row: the guard decides what the dead router may still settle (MONEY 13).
  expect(await rig.sql('SELECT request FROM usage')).toEqual([]);
  expect(await rig.sql('SELECT id FROM incarnations ORDER BY id')).toEqual(
    [rig.ledger.incarnation, peer.incarnation].toSorted().map((id) => ({ id })),
  );
});

test('MONEY 13, 19: who was swept while alive settles late by a guarded charge, and begins again', async () => {
  await using rig = await Rig.start();
  const clock = new ManualClock();
  let unhealthy = 0;
  const slow = await rig.openLedger({ clock, onUnhealthy: () => unhealthy++ });
  const organization = await rig.organization(100n);
  const [first, second] = [rig.reservation(organization, 50n), rig.reservation(organization, 50n)];
  for (const reservation of [first, second])
    expect(await slow.reserve(reservation)).toHaveProperty('held');
  const before = slow.incarnation;
  await rig.pass(40_000, rig.ledger);
  expect(await rig.balance(organization)).toMatchObject({ held: 0n });

  expect(await rig.settle(organization, first.request, TOKENS, slow)).toEqual({ cost: COST });
  const other = await rig.hold(organization, 60n);
  expect(await rig.settle(organization, second.request, TOKENS, slow)).toBe('refused');

  // The router learns at its next reservation that it was declared dead, and may not hold before it
  // has started a new incarnation.
  const third = rig.reservation(organization, 5n);
  await expect(slow.reserve(third)).rejects.toThrow('declared dead');
  expect(unhealthy).toBe(1);
  await slow.heartbeat();
  expect(slow.incarnation).not.toBe(before);
  expect(slow.isHealthy()).toBe(true);
  expect(await slow.reserve(third)).toHaveProperty('held');
  await rig.void(organization, other);
});

test('MONEY 19: a router that finds itself declared dead by its beat begins again', async () => {
  await using rig = await Rig.start();
  let unhealthy = 0;
  const clock = new ManualClock();
  const slow = await rig.openLedger({ clock, onUnhealthy: () => unhealthy++ });
  const before = slow.incarnation;
  await rig.pass(40_000, rig.ledger);
  expect(unhealthy).toBe(0);
  await slow.heartbeat();
  expect(unhealthy).toBe(1);
  expect(slow.incarnation).not.toBe(before);
  expect(slow.isHealthy()).toBe(true);
  await rig.pass(40_000, rig.ledger);
});

test('MONEY 19: a dead router’s many holds are freed in pieces, and none is forgotten', async () => {
  await using rig = await Rig.start();
  const dead = await rig.openLedger({ clock: new ManualClock() });
  const organization = await rig.organization(10_000n);
  const asked = Array.from({ length: 1_300 }, () => rig.reservation(organization, 2n));
  await Promise.all(asked.map((reservation) => dead.reserve(reservation)));
  expect(await rig.balance(organization)).toMatchObject({ held: 2_600n });
  await rig.pass(40_000, rig.ledger);
  expect(await rig.balance(organization)).toMatchObject({ held: 0n });
  expect(await rig.sql('SELECT count(*) AS n FROM holds')).toEqual([{ n: 0n }]);
});

test('MONEY 19: nobody is declared dead for a time in which we slept or could not beat ourselves', async () => {
  await using rig = await Rig.start();
  const silent = await rig.openLedger({ clock: new ManualClock() });
  const organization = await rig.organization(1_000n);
  await silent.reserve(rig.reservation(organization, 400n));
  const faulty = new FaultyStore(rig.store);
  const clock = new ManualClock();
  const watcher = await rig.openLedger({ store: faulty, clock });
  const beats = async (ms: number) => {
    for (let rest = ms; rest > 0; rest -= 5_000) {
      clock.advance(5_000);
      await watcher.heartbeat();
    }
  };
  await beats(25_000);
  faulty.fault = 'unreached';
  await beats(5_000);
  faulty.fault = 'none';
  // The time is counted anew from the first heartbeat after the outage, although the outage was
  // short …
  await beats(25_000);
  expect(await rig.balance(organization)).toMatchObject({ held: 400n });
  // … and again after a sleep, in which the clock jumped and no router sent a heartbeat.
  clock.advance(600_000);
  await watcher.heartbeat();
  await watcher.heartbeat();
  await beats(25_000);
  expect(await rig.balance(organization)).toMatchObject({ held: 400n });
  await beats(10_000);
  expect(await rig.balance(organization)).toMatchObject({ held: 0n });
});

test('MONEY 19: no wall clock decides: one that leaps by a day, on or back, frees no hold', async () => {
  await using rig = await Rig.start();
  const { clock } = rig;
  let leapMs = 0;
  const leaping: Clock = {
    now: () => clock.now() + leapMs,
    monotonic: () => clock.monotonic(),
    after: (ms, run) => clock.after(ms, run),
    every: (ms, run) => clock.every(ms, run),
  };
  const watcher = await rig.openLedger({ clock: leaping });
  const organization = await rig.organization(1_000n);
  const [mine, theirs] = [rig.reservation(organization, 1n), rig.reservation(organization, 2n)];
  await rig.ledger.reserve(mine);
  await watcher.reserve(theirs);
  for (const hours of [1, 24, -24, 0]) {
    leapMs = hours * 3_600_000;
    await rig.pass(20_000, rig.ledger, watcher);
    expect(await rig.balance(organization)).toMatchObject({ held: 3n });
  }
});

test('MONEY 20: each beat frees our own holds that no request stands behind, and no other', async () => {
  await using rig = await Rig.start();
  const organization = await rig.organization(1_000n);
  const faulty = new FaultyStore(rig.store);
  const ledger = await rig.openLedger({ store: faulty });
  const running = rig.reservation(organization, 100n);
  expect(await ledger.reserve(running)).toHaveProperty('held');
  // The hold was taken but the answer was lost, so the router reports to its client that the store
  // is unavailable.
  faulty.fault = 'unanswered';
  const orphan = rig.reservation(organization, 200n);
  await expect(ledger.reserve(orphan)).rejects.toThrow(StoreUnavailable);
  faulty.fault = 'none';
  expect(await rig.balance(organization)).toMatchObject({ held: 300n });
  expect(ledger.openHolds).toBe(1);
  await ledger.heartbeat();
  expect(await rig.balance(organization)).toMatchObject({ held: 100n });
  expect(await rig.settle(organization, running.request, TOKENS, ledger)).toEqual({ cost: COST });
  expect(ledger.openHolds).toBe(0);
});

test('MONEY 14: a settlement whose answer was lost stays live, and asked again is charged once', async () => {
  await using rig = await Rig.start();
  const organization = await rig.organization(1_000n);
  const faulty = new FaultyStore(rig.store);
  const ledger = await rig.openLedger({ store: faulty });
  const [lost, never] = [rig.reservation(organization, 100n), rig.reservation(organization, 100n)];
  for (const reservation of [lost, never]) await ledger.reserve(reservation);
  const settle = ({ request }: { request: typeof lost.request }) =>
    rig.settle(organization, request, TOKENS, ledger);
  faulty.fault = 'unanswered';
  await expect(settle(lost)).rejects.toThrow(StoreUnavailable);
  faulty.fault = 'unreached';
  await expect(settle(never)).rejects.toThrow(StoreUnavailable);
  faulty.fault = 'none';
  await ledger.heartbeat();
  // The settlement that never arrived has kept its hold.
  expect(await rig.balance(organization)).toMatchObject({ balance: 970n, held: 100n });
  expect(await settle(lost)).toEqual({ cost: COST });
  expect(await settle(never)).toEqual({ cost: COST });
  expect(await rig.balance(organization)).toMatchObject({ balance: 940n, held: 0n });
});

test('MONEY 14: a void that nobody repeats leaves no hold behind', async () => {
  await using rig = await Rig.start();
  const organization = await rig.organization(1_000n);
  const faulty = new FaultyStore(rig.store);
  const ledger = await rig.openLedger({ store: faulty });
  const { request } = rig.reservation(organization, 100n);
  await ledger.reserve({ ...rig.reservation(organization, 100n), request });
  faulty.fault = 'unreached';
  await expect(rig.void(organization, request, ledger)).rejects.toThrow(StoreUnavailable);
  faulty.fault = 'none';
  await ledger.heartbeat();
  expect(await rig.balance(organization)).toMatchObject({ held: 0n });
});

test('MONEY 20: without a beat for half a time to live the ledger says so, holds nothing, and recovers', async () => {
  await using rig = await Rig.start();
  const faulty = new FaultyStore(rig.store);
  let unhealthy = 0;
  const ledger = await rig.openLedger({ store: faulty, onUnhealthy: () => unhealthy++ });
  const organization = await rig.organization(1_000n);
  faulty.fault = 'unreached';
  await rig.pass(10_000, ledger);
  expect(ledger.isHealthy()).toBe(true);
  await rig.pass(5_000, ledger);
  expect(ledger.isHealthy()).toBe(false);
  expect(unhealthy).toBe(1);
  faulty.fault = 'none';
  const reservation = rig.reservation(organization, 1n);
  await expect(ledger.reserve(reservation)).rejects.toThrow(StoreUnavailable);
  await ledger.heartbeat();
  expect(ledger.isHealthy()).toBe(true);
  expect(await ledger.reserve(reservation)).toHaveProperty('held');
  await rig.pass(60_000, ledger, rig.ledger);
  expect(unhealthy).toBe(1);
});

test('MONEY 20: a shorter time to live is beaten as much oftener', async () => {
  await using rig = await Rig.start();
  const clock = new ManualClock();
  const ledger = await rig.openLedger({ clock }, { holdTtlMs: 1_200 });
  for (let beats = 0; beats < 10; beats++) {
    clock.advance(200);
    await ledger.heartbeat();
    expect(ledger.isHealthy()).toBe(true);
  }
  clock.advance(600);
  expect(ledger.isHealthy()).toBe(false);
});

test('a ledger that is closed frees its holds and takes its incarnation with it', async () => {
  await using rig = await Rig.start();
  const organization = await rig.organization(1_000n);
  const ledger = await rig.openLedger();
  await ledger.reserve(rig.reservation(organization, 100n));
  await ledger[Symbol.asyncDispose]();
  expect(await rig.balance(organization)).toMatchObject({ held: 0n });
  const left = await rig.sql('SELECT id FROM incarnations');
  expect(left).toEqual([{ id: rig.ledger.incarnation }]);
  const timers = rig.clock.timers;
  const other = await rig.openLedger();
  await other[Symbol.asyncDispose]();
  // The watch timer of the last batch may still be set.
  await expect.poll(() => rig.clock.timers, { timeout: 20_000 }).toBe(timers);
});

test('a ledger that is closed sends no more heartbeats, whoever asks for one', async () => {
  await using rig = await Rig.start();
  const ledger = await rig.openLedger();
  const closing = ledger[Symbol.asyncDispose]();
  await ledger.heartbeat();
  await closing;
  await ledger.heartbeat();
  const left = await rig.sql('SELECT id FROM incarnations');
  expect(left).toEqual([{ id: rig.ledger.incarnation }]);
});

test('a ledger that learns while it closes that it was declared dead begins no new incarnation', async () => {
  await using rig = await Rig.start();
  const ledger = await rig.openLedger();
  const { incarnation } = ledger;
  await rig.sql(`UPDATE incarnations SET beat = -1 WHERE id = '${incarnation}'`);
  const beating = ledger.heartbeat();
  await ledger[Symbol.asyncDispose]();
  await beating;
  expect(ledger.incarnation).toBe(incarnation);
  const left = await rig.sql('SELECT id FROM incarnations');
  expect(left).toEqual([{ id: rig.ledger.incarnation }]);
});

test('MONEY 19: who has beaten since it was looked at is not swept, and who is being swept cannot beat', async () => {
  await using rig = await Rig.start();
  const peer = await rig.openLedger();
  const organization = await rig.organization(10_000n);
  const asked = Array.from({ length: 600 }, () => rig.reservation(organization, 1n));
  await Promise.all(asked.map((reservation) => peer.reserve(reservation)));
  const { incarnation } = peer;
  const [by, now] = [rig.ledger.incarnation, rig.clock.now()];
  // Its first heartbeat counted 1, and this one counts 2.
  await peer.heartbeat();
  const sweep = (beat: bigint, after: RequestId | null = null) =>
    askStore(rig, { kind: 'sweep', incarnation, by, beat, after, now });
  expect(await sweep(1n)).toEqual({ answer: 'alive' });
  // Some of its holds at a time, in order.
  const requests = asked.map(({ request }) => request).toSorted();
  expect(await sweep(2n)).toEqual({ answer: requests.slice(0, 500) });
  expect(await sweep(2n, requests[499])).toEqual({ answer: requests.slice(500) });
  expect(await askStore(rig, { kind: 'remove', incarnation })).toEqual({ answer: false });
  expect(await rig.balance(organization)).toMatchObject({ held: 600n });
  const beat = await askStore(rig, { kind: 'heartbeat', incarnation });
  expect(beat).toMatchObject({ answer: { alive: false, holds: [] } });
  // The first router that sees the sweep continues it without waiting again.
  await rig.ledger.heartbeat();
  expect(await rig.balance(organization)).toMatchObject({ held: 0n });
});

async function askStore(rig: Rig, operation: Operation): Promise<Outcome | undefined> {
  const [[[, outcome] = []] = []] = await rig.run([operation]);
  return outcome;
}

test('a hold of a peer is never freed by our own beat', async () => {
  await using rig = await Rig.start();
  const organization = await rig.organization(1_000n);
  const peer = await rig.openLedger();
  const request = mintId('request', rig.clock, rig.random);
  await peer.reserve({ ...rig.reservation(organization, 100n), request });
  await rig.pass(60_000, rig.ledger, peer);
  expect(await rig.balance(organization)).toMatchObject({ held: 100n });
  const { incarnation } = rig.ledger;
  const free = await askStore(rig, { kind: 'free', incarnation, request, now: 0 });
  expect(free).toEqual({ answer: false });
  expect(await rig.settle(organization, request, TOKENS, rig.ledger)).toEqual({ cost: COST });
});

test('nothing is admitted that could not be charged: from an ending that was not kept until one is', async () => {
  await using rig = await Rig.start();
  const organization = await rig.organization(1_000n);
  const faulty = new FaultyStore(rig.store);
  const ledger = await rig.openLedger({ store: faulty });
  const running = rig.reservation(organization, 100n);
  await ledger.reserve(running);
  faulty.fault = 'unreached';
  await expect(rig.settle(organization, running.request, TOKENS, ledger)).rejects.toThrow(
    StoreUnavailable,
  );
  faulty.fault = 'none';
  const next = rig.reservation(organization, 100n);
  await expect(ledger.reserve(next)).rejects.toThrow('could not be stored');
  expect(await rig.settle(organization, running.request, TOKENS, ledger)).toEqual({ cost: COST });
  expect(await ledger.reserve(next)).toHaveProperty('held');
});
