/** What each router has served in the last minute, as it writes it to its row. */
import { expect, test } from 'vitest';
import { RouterTraffic } from '../../../router/control/routers/traffic.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { Rig } from '../ledger/rig.ts';

const WRITE_MS = 10_000;

test('a router reports the requests and errors of its last minute every ten seconds', async () => {
  await using rig = await Rig.start();
  const { store, clock, log } = rig;
  const totals = { requests: 0, errors: 0 };
  const router = () => rig.ledger.incarnation;
  await using traffic = new RouterTraffic({ totals, router, store, clock, log });
  const after = async (requests: number, errors: number) => {
    totals.requests += requests;
    totals.errors += errors;
    clock.advance(WRITE_MS);
    await traffic.written();
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
  await using traffic = new RouterTraffic({ totals, router, store, clock, log });
  const after = async (requests: number) => {
    totals.requests += requests;
    clock.advance(WRITE_MS);
    await traffic.written();
    const [row] = await rig.sql(
      `SELECT recent_requests FROM incarnations WHERE id = '${router()}'`,
    );
    return (row as Record<string, unknown>)['recent_requests'];
  };
  expect(await after(5)).toBeNull();
  clock.fault = null;
  expect(Number(await after(2))).toBe(7);
});
