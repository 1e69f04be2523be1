/** The store's time follows the database's clock, whatever the routers' clocks say. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreClock } from '../../../router/store/clock.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { Store } from '../../../router/store/store.ts';
import { forgetTime, noteTime, readTime, type StoreTime } from '../../../router/store/time.ts';
import { systemClock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { makeStorePlace } from '../../support/store.ts';

const REGISTRY = new URL('../../../router/procedures.ts', import.meta.url);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const log = makeLog('test', 'silent');

let undo: AsyncDisposableStack;
let store: Store;
beforeEach(async () => {
  undo = new AsyncDisposableStack();
  const place = undo.use(await makeStorePlace());
  store = undo.use(
    await openStore({ url: place.url, registry: REGISTRY }, { clock: systemClock, log }),
  );
});
afterEach(() => undo.disposeAsync());

/**
 * The real store with a database clock that the test moves, because a real database clock cannot be
 * made to jump.
 */
class Database {
  leapMs = 0;
  readonly #clock: ManualClock;
  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  readonly call: Store['call'] = async (procedure, input) => {
    const answer = await store.call(procedure, input);
    if ((procedure as object) !== readTime) return answer;
    const { seen } = answer as StoreTime;
    return { seen, now: this.#clock.now() + this.leapMs } as typeof answer;
  };
}

/** A router on a machine whose clock is ahead of the correct database clock. */
async function startRouter(aheadMs = 0, lastSeen?: number) {
  const right = new ManualClock();
  const machine = {
    aheadMs,
    sleptMs: 0,
  };
  const local = {
    now: () => right.now() + machine.aheadMs,
    monotonic: () => right.monotonic(),
    after: right.after.bind(right),
    every: right.every.bind(right),
  };
  if (lastSeen !== undefined) await store.call(noteTime, lastSeen);
  const database = new Database(right);
  const sinceBoot = () => right.monotonic() + machine.sleptMs;
  const clock = await StoreClock.open({ store: database, local, sinceBoot, log });
  return { clock, right, database, machine };
}

test("the database's clock is read in milliseconds", async () => {
  const { now, seen } = await store.call(readTime, null);
  expect(Number.isInteger(now)).toBe(true);
  expect(Math.abs(now - systemClock.now())).toBeLessThan(MINUTE_MS);
  expect(seen).toBeNull();
});

test('two routers whose clocks are 400 days apart have the time of the database', async () => {
  const one = await startRouter(400 * DAY_MS);
  const other = await startRouter(-2 * MINUTE_MS);
  expect(one.clock.now()).toBe(one.right.now());
  expect(other.clock.now()).toBe(other.right.now());
  expect(one.clock.offsetMs).toBe(400 * DAY_MS);
  one.right.advance(1_234);
  expect(one.clock.now()).toBe(one.right.now());
});

test.each([
  [0, null],
  [59_000, null],
  [61_000, /this machine's clock is 61 s off/],
  [-61_000, /this machine's clock is -61 s off/],
])('a machine that is %i ms ahead: %s', async (aheadMs, fault) => {
  const { clock } = await startRouter(aheadMs);
  if (fault === null) expect(clock.fault).toBeNull();
  else expect(clock.fault).toMatch(fault);
});

test('a machine whose clock is put right takes work again', async () => {
  const { clock, machine } = await startRouter(2 * MINUTE_MS);
  expect(clock.fault).not.toBeNull();
  machine.aheadMs = 0;
  await clock.measure();
  expect(clock.fault).toBeNull();
});

test("a machine's clock that leaps moves nothing", async () => {
  const { clock, right, machine } = await startRouter();
  machine.aheadMs = 400 * DAY_MS;
  right.advance(5_000);
  await clock.measure();
  expect(clock.now()).toBe(right.now());
  expect(clock.fault).toMatch(/off from the store's/);
});

test("a database's clock that leaps is not followed, and is believed again when it is right", async () => {
  const { clock, right, database, machine } = await startRouter();
  for (const leapMs of [400 * DAY_MS, -2 * MINUTE_MS]) {
    database.leapMs = leapMs;
    right.advance(5_000);
    await clock.measure();
    expect(clock.now()).toBe(right.now());
    expect(clock.fault).toMatch(/leapt/);
    database.leapMs = 0;
    await clock.measure();
    expect(clock.fault).toBeNull();
  }
  // A step too small to count as a jump is followed, even when the machine's own clock takes it,
  // too.
  database.leapMs = 30_000;
  machine.aheadMs = 30_000;
  await clock.measure();
  expect(clock.now()).toBe(right.now() + 30_000);
  expect(clock.fault).toBeNull();
});

test('a machine that has slept wakes with the time of the database', async () => {
  const { clock, right, database, machine } = await startRouter();
  const nightMs = 10 * 60 * MINUTE_MS;
  machine.sleptMs = nightMs;
  machine.aheadMs = nightMs;
  database.leapMs = nightMs;
  await clock.measure();
  expect(clock.fault).toBeNull();
  expect(clock.now()).toBe(right.now() + nightMs);
});

test('a store on which a router ran later than now is not believed, nor one that was left for months', async () => {
  const now = new ManualClock().now();
  expect((await startRouter(0, now - 31 * DAY_MS)).clock.fault).toBeNull();
  expect((await startRouter(0, now + 2 * MINUTE_MS)).clock.fault).toMatch(/behind the time/);
});

test('a store that was left for months is believed once an operator says so', async () => {
  const now = new ManualClock().now();
  const { clock } = await startRouter(0, now - 33 * DAY_MS);
  expect(clock.fault).toMatch(/fleet settings --accept/);
  await store.call(forgetTime, null);
  await clock.measure();
  expect(clock.fault).toBeNull();
});

test('the time at which a router runs is kept, and never goes back', async () => {
  const { clock } = await startRouter();
  const { seen } = await store.call(readTime, null);
  expect(seen).toBe(clock.now());
  await store.call(noteTime, clock.now() - DAY_MS);
  expect((await store.call(readTime, null)).seen).toBe(seen);
});
