/** What each router reports of itself, as it writes it to its row. */
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { findRouter, readRouterHistory } from '../../../router/control/routers/detail.ts';
import { rangeOf, spanUntil } from '../../../router/control/routers/history-range.ts';
import {
  AGENTS_MAX,
  readAgents,
  writtenAgents,
} from '../../../router/control/routers/connected-agents.ts';
import {
  forgetPeriods,
  PERIOD_MS,
  PERIODS_KEPT_MS,
} from '../../../router/control/routers/periods.ts';
import {
  noTimes,
  percentilesOfTimes,
  writtenTimes,
} from '../../../router/control/routers/first-token-times.ts';
import {
  findStoppedRouter,
  forgetRuns,
  listStoppedRouters,
} from '../../../router/control/routers/runs.ts';
import { RouterReports } from '../../../router/control/routers/reports.ts';
import { openVitals } from '../../../router/control/routers/vitals.ts';
import { BUCKETS, bucketOf } from '../../../router/usage/rollups/histogram.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { Rig } from '../ledger/rig.ts';

const WRITE_MS = 10_000;
const COUNTS = { requests: 0, errors: 0, tokens: 0, firstTokens: 0, firstTokenMs: 0 };

function nothing() {
  return { ...COUNTS, firstTokenTimes: noTimes() };
}

function own() {
  return {
    noticed: () => ({}),
    vitals: openVitals(),
    agents: () => ['agt_one', 'agt_two'],
    draining: new AbortController().signal,
  };
}

test('a router reports the requests and errors of its last minute every ten seconds', async () => {
  await using rig = await Rig.start();
  const { store, clock, log } = rig;
  const totals = nothing();
  const router = () => rig.ledger.incarnation;
  await using reports = new RouterReports({ ...own(), totals, router, store, clock, log });
  const after = async (requests: number, errors: number) => {
    totals.requests += requests;
    totals.errors += errors;
    clock.advance(WRITE_MS);
    await reports.written();
    const [row] = await rig.sql(
      `SELECT recent_requests, recent_errors, recent_at FROM incarnations WHERE id = '${router()}'`,
    );
    const { recent_requests, recent_errors, recent_at } = row as Record<string, unknown>;
    expect(Number(recent_at)).toBe(clock.now());
    return [Number(recent_requests), Number(recent_errors)];
  };
  expect(await after(5, 1)).toEqual([5, 1]);
  expect(await after(7, 0)).toEqual([12, 1]);
  for (const _ of [3, 4, 5]) expect(await after(0, 0)).toEqual([12, 1]);
  expect(await after(1, 1)).toEqual([13, 2]);
  // The first ten seconds are more than a minute ago.
  expect(await after(0, 0)).toEqual([8, 1]);
});

test('a router whose clock has a fault writes nothing, and goes on counting', async () => {
  await using rig = await Rig.start();
  const { store, log } = rig;
  class FaultyClock extends ManualClock {
    fault: string | null = 'the clock differs from that of the store';
  }
  const clock = new FaultyClock();
  const totals = nothing();
  const router = () => rig.ledger.incarnation;
  await using reports = new RouterReports({ ...own(), totals, router, store, clock, log });
  const after = async (requests: number) => {
    totals.requests += requests;
    clock.advance(WRITE_MS);
    await reports.written();
    const [row] = await rig.sql(
      `SELECT recent_requests FROM incarnations WHERE id = '${router()}'`,
    );
    return (row as Record<string, unknown>)['recent_requests'];
  };
  expect(await after(5)).toBeNull();
  clock.fault = null;
  expect(Number(await after(2))).toBe(7);
});

test('a router reports its process and its agents, and at once that it drains', async () => {
  await using rig = await Rig.start();
  const { store, clock, log } = rig;
  const router = () => rig.ledger.incarnation;
  const stop = new AbortController();
  const totals = nothing();
  const parts = { ...own(), draining: stop.signal, totals, router, store, clock, log };
  await using reports = new RouterReports(parts);
  const row = async () => {
    await reports.written();
    const [found] = await rig.sql(`SELECT * FROM incarnations WHERE id = '${router()}'`);
    return found as Record<string, unknown>;
  };
  expect(await row()).toMatchObject({ host: null, pid: null, draining: null });
  clock.advance(WRITE_MS);
  const { host, pid, memory_bytes, loop_permille, store_ms, agents, draining } = await row();
  expect(host).toBe(hostname());
  expect(Number(pid)).toBe(process.pid);
  expect(Number(memory_bytes)).toBeGreaterThan(1_000_000);
  expect(Number(loop_permille)).toBeGreaterThanOrEqual(0);
  expect(Number(loop_permille)).toBeLessThanOrEqual(1_000);
  expect(store_ms).toBeNull();
  expect([Number(agents), Number(draining)]).toEqual([2, 0]);
  stop.abort();
  const drained = await row();
  expect(Number(drained['draining'])).toBe(1);
  expect(drained['store_ms']).not.toBeNull();
});

test('a router writes what it has served in each five minutes, counted once', async () => {
  await using rig = await Rig.start();
  const { store, log } = rig;
  const clock = new ManualClock(Date.UTC(2026, 0, 31, 12, 4, 30));
  const router = rig.ledger.incarnation;
  const totals = {
    requests: 1_000,
    errors: 100,
    tokens: 1,
    firstTokens: 1,
    firstTokenMs: 1,
    firstTokenTimes: noTimes().fill(1),
  };
  const parts = { ...own(), totals, router: () => router, store, clock, log };
  await using reports = new RouterReports(parts);
  const report = async (served: Partial<typeof COUNTS>, times: readonly number[] = []) => {
    for (const key of Object.keys(COUNTS) as (keyof typeof COUNTS)[]) {
      totals[key] += served[key] ?? 0;
    }
    for (const ms of times) {
      const bucket = bucketOf(ms);
      totals.firstTokenTimes[bucket] = (totals.firstTokenTimes[bucket] as number) + 1;
    }
    clock.advance(WRITE_MS);
    await reports.written();
  };
  await report(
    { requests: 3, errors: 1, tokens: 50, firstTokens: 2, firstTokenMs: 301 },
    [100, 201],
  );
  await report({ requests: 2, tokens: 10 });
  await report({ requests: 4, tokens: 7, firstTokens: 1, firstTokenMs: 500 }, [500]);
  await report({ requests: 1 });
  const history = await store.call(readRouterHistory, {
    router,
    ...spanUntil('hour', clock.now()),
  });
  expect(history?.points).toMatchObject([
    {
      at: '2026-01-31T12:00:00.000Z',
      seconds: 20,
      requests: 5,
      errors: 1,
      completion_tokens: 60,
      ttft_ms: 151,
    },
    {
      at: '2026-01-31T12:05:00.000Z',
      // Since the last report of the period before, which was ten seconds before the boundary.
      seconds: 20,
      requests: 5,
      errors: 0,
      completion_tokens: 7,
      ttft_ms: 500,
    },
  ]);
  expect(history?.points.at(-1)?.store_ms).not.toBeNull();
  const within = (wanted: number) => wanted * 0.05;
  const [first, second] = history?.points ?? [];
  expect(Math.abs((first?.ttft_p50_ms ?? 0) - 100)).toBeLessThan(within(100));
  expect(Math.abs((first?.ttft_p95_ms ?? 0) - 201)).toBeLessThan(within(201));
  expect(Math.abs((second?.ttft_p50_ms ?? 0) - 500)).toBeLessThan(within(500));
  const day = await store.call(readRouterHistory, { router, ...spanUntil('day', clock.now()) });
  expect(day?.points).toMatchObject([{ at: '2026-01-31T12:00:00.000Z', requests: 10 }]);

  const later = { now: Date.UTC(2026, 0, 31, 12, 5) + PERIODS_KEPT_MS, rows: 10 };
  expect(await store.call(forgetPeriods, later)).toBe(0);
  const tooOld = { now: later.now + 2 * PERIOD_MS, rows: 1 };
  expect(await store.call(forgetPeriods, tooOld)).toBe(1);
  expect(await store.call(forgetPeriods, tooOld)).toBe(1);
  expect(await store.call(forgetPeriods, tooOld)).toBe(0);
});

test('a period has the most memory, the longest delay and the most requests of its reports', async () => {
  await using rig = await Rig.start();
  const { store, log } = rig;
  const clock = new ManualClock(Date.UTC(2026, 0, 31, 12, 0, 30));
  const router = rig.ledger.incarnation;
  let measured = { memoryBytes: 0, loopDelayMs: 0 };
  const vitals = () => ({ host: 'gateway-1', pid: 1, loopPermille: 1, ...measured });
  const parts = { ...own(), vitals, totals: nothing(), router: () => router, store, clock, log };
  await using reports = new RouterReports(parts);
  const report = async (memoryBytes: number, loopDelayMs: number) => {
    measured = { memoryBytes, loopDelayMs };
    clock.advance(WRITE_MS);
    await reports.written();
  };
  const newest = async () =>
    (await store.call(readRouterHistory, { router, ...spanUntil('hour', clock.now()) }))?.points.at(
      -1,
    );
  await report(100, 3);
  // Nothing is known yet of the requests that ran, and no token came.
  expect(await newest()).toMatchObject({ running: null, ttft_p50_ms: null, ttft_p95_ms: null });
  await report(300, 1);
  await report(200, 2);
  expect(await newest()).toMatchObject({ memory_bytes: 300, loop_delay_ms: 3, running: 0 });
  clock.advance(PERIOD_MS);
  await reports.written();
  await report(50, 0);
  expect(await newest()).toMatchObject({ memory_bytes: 50, loop_delay_ms: 0, running: 0 });
  // Of a router of an earlier version.
  await rig.sql(
    'UPDATE router_periods SET memory_bytes = NULL, loop_delay_ms = NULL, running = NULL, first_token_times = NULL',
  );
  expect(await newest()).toMatchObject({ memory_bytes: null, loop_delay_ms: null, running: null });
});

test('times to first token are added up over periods, and buckets of a later version are left out', () => {
  const one = noTimes();
  one[0] = 1;
  one[BUCKETS - 1] = 300;
  const other = noTimes();
  other[0] = 999;
  expect(percentilesOfTimes([writtenTimes(one), writtenTimes(other)])).toMatchObject({ p50: 0 });
  expect(percentilesOfTimes([writtenTimes(one)])?.p50).toBeGreaterThan(10_000_000);
  expect(percentilesOfTimes([writtenTimes(noTimes())])).toBeNull();
  // The bucket 1,000, with one value.
  expect(percentilesOfTimes([new Uint8Array([0xe8, 0x07, 1])])).toBeNull();
});

test('the history of a router in a range has whole buckets, and no range without an end in the past', () => {
  const now = Date.UTC(2026, 0, 31, 12, 4);
  const at = (text: string) => Date.parse(`2026-01-${text}:00Z`);
  const ask = (start?: number, end?: number) => rangeOf({ span: 'hour', start, end }, now);
  expect(ask(at('31T11:02'), at('31T11:58'))).toEqual({
    span: null,
    from: at('31T11:00'),
    until: at('31T12:00'),
    bucketMs: PERIOD_MS,
  });
  expect(ask(at('30T12:00')).bucketMs).toBe(6 * PERIOD_MS);
  expect(ask(at('25T12:00')).bucketMs).toBe(36 * PERIOD_MS);
  expect(() => ask(undefined, now)).toThrow('An end needs a start.');
  expect(() => ask(at('24T12:00'))).toThrow('The history begins a week ago.');
  for (const end of [at('31T11:00'), at('31T10:00')]) {
    expect(() => ask(at('31T11:00'), end)).toThrow('The start must be before the end');
  }
  expect(() => ask(now + 1)).toThrow('The start must be before the end');
});

test('a router tells which hosts are connected to it, by their names', async () => {
  await using rig = await Rig.start();
  const { store, clock, log } = rig;
  const router = rig.ledger.incarnation;
  await rig.sql(
    `INSERT INTO agents (id, name, region, state, created)
     VALUES ('agt_two', 'gpu-2', 'global', 'enrolled', 0), ('agt_one', 'gpu-1', 'global', 'enrolled', 0)`,
  );
  expect(await store.call(findRouter, router)).toMatchObject({ hosts: null });
  const parts = { ...own(), totals: nothing(), router: () => router, store, clock, log };
  await using reports = new RouterReports(parts);
  clock.advance(WRITE_MS);
  await reports.written();
  expect(await store.call(findRouter, router)).toMatchObject({
    router: { id: router },
    hosts: [
      { id: 'agt_one', name: 'gpu-1' },
      { id: 'agt_two', name: 'gpu-2' },
    ],
  });
  expect(await store.call(findRouter, 'rtr_none' as never)).toBeNull();
});

test('a router that has signed off keeps its name and its history for a week', async () => {
  await using rig = await Rig.start();
  const { store, log } = rig;
  const clock = new ManualClock(Date.UTC(2026, 0, 31, 12));
  const other = await rig.openLedger();
  const router = other.incarnation;
  const totals = nothing();
  await using reports = new RouterReports({
    ...own(),
    totals,
    router: () => router,
    store,
    clock,
    log,
  });
  totals.requests += 7;
  clock.advance(WRITE_MS);
  await reports.written();
  const stopped = () => store.call(listStoppedRouters, null);
  expect(await stopped()).toEqual([]);
  await other[Symbol.asyncDispose]();
  const last = BigInt(clock.now());
  expect(await store.call(findRouter, router)).toBeNull();
  expect(await stopped()).toMatchObject([
    {
      router,
      host: hostname(),
      pid: BigInt(process.pid),
      regions: 'global',
      reported: last,
      // The clock of the ledger is another one here.
      ended: BigInt(rig.clock.now()),
      ended_by: router,
    },
  ]);
  expect(await store.call(findStoppedRouter, router)).toMatchObject({ router });
  expect(await store.call(findStoppedRouter, rig.ledger.incarnation)).toBeNull();
  const range = spanUntil('hour', clock.now());
  expect(await store.call(readRouterHistory, { router, ...range })).toMatchObject({
    points: [{ requests: 7, seconds: 10 }],
  });
  const forgotten = async (later: number) =>
    store.call(forgetRuns, { now: clock.now() + later, rows: 10 });
  expect(await forgotten(PERIODS_KEPT_MS)).toBe(0);
  expect(await forgotten(PERIODS_KEPT_MS + 1)).toBe(1);
  expect(await stopped()).toEqual([]);
  expect(await store.call(readRouterHistory, { router, ...range })).toBeNull();
});

test('a router that was declared dead keeps who declared it, whatever it reports afterwards', async () => {
  await using rig = await Rig.start();
  const { store, log, clock } = rig;
  // The clock of this router does not advance, so the router sends no heartbeat.
  const dead = await rig.openLedger({ clock: new ManualClock() });
  const router = dead.incarnation;
  const organization = await rig.organization(1_000n);
  await dead.reserve(rig.reservation(organization, 400n));
  const parts = { ...own(), totals: nothing(), router: () => router, store, clock, log };
  await using reports = new RouterReports(parts);
  clock.advance(WRITE_MS);
  await reports.written();
  expect(await store.call(findRouter, router)).toMatchObject({
    router: { ended: null, ended_by: null },
  });
  const ended = { ended_by: rig.ledger.incarnation };
  // After a heartbeat that fails, as on a busy machine, the TTL starts over.
  const declared = async () => {
    await rig.pass(40_000, rig.ledger);
    return await store.call(findStoppedRouter, router);
  };
  await expect.poll(declared).toMatchObject(ended);
  await reports.written();
  expect(await store.call(findStoppedRouter, router)).toMatchObject(ended);
  clock.advance(WRITE_MS);
  await reports.written();
  expect(await store.call(findStoppedRouter, router)).toMatchObject(ended);
  // It learns it, and begins again under another id, which has not ended.
  await dead.heartbeat();
  await dead[Symbol.asyncDispose]();
  expect(await store.call(findStoppedRouter, router)).toMatchObject(ended);
});

test('at most a hundred hosts of a router are written, and what is no list is not read', () => {
  const ids = Array.from({ length: AGENTS_MAX + 5 }, (_, nth) => `agt_${nth}`);
  expect(readAgents(writtenAgents(ids))).toHaveLength(AGENTS_MAX);
  for (const text of [null, '', '{}', '[1]', 'agt_1']) expect(readAgents(text)).toBeNull();
});
