/** What each router reports of itself, as it writes it to its row. */
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { RouterReports } from '../../../router/control/routers/reports.ts';
import { openVitals } from '../../../router/control/routers/vitals.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { Rig } from '../ledger/rig.ts';

const WRITE_MS = 10_000;

function own() {
  return {
    noticed: () => ({}),
    vitals: openVitals(),
    agents: () => 2,
    draining: new AbortController().signal,
  };
}

test('a router reports the requests and errors of its last minute every ten seconds', async () => {
  await using rig = await Rig.start();
  const { store, clock, log } = rig;
  const totals = { requests: 0, errors: 0 };
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
  const totals = { requests: 0, errors: 0 };
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
  const totals = { requests: 0, errors: 0 };
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
