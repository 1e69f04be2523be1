/** How a router has ended is recorded: that it stopped by itself, or who declared it dead. */
import { expect, test } from 'vitest';
import type { Router } from '../../shared/api/routers.ts';
import { until } from '../support/up.ts';
import type { Fleet } from '../torture/fleet.ts';
import { open, STORES } from './processes-rig.ts';

const STOP_MS_MAX = 60_000;
/** A router reports every ten seconds, and is declared dead after the fleet's six. */
const REPORT_MS_MAX = 30_000;

async function routersOf(fleet: Fleet, query = ''): Promise<readonly Router[]> {
  return (await fleet.office.call<{ data: readonly Router[] }>('GET', `/routers${query}`)).data;
}

/** Resolves with the run of this process once it has reported. */
async function running(fleet: Fleet, pid: number): Promise<Router> {
  const find = async () => (await routersOf(fleet)).find((router) => router.pid === pid);
  return await until(find, `the report of process ${pid}`, REPORT_MS_MAX);
}

/** Resolves with the run once it is listed as stopped. */
async function stopped(fleet: Fleet, id: string): Promise<Router> {
  const find = async () =>
    (await routersOf(fleet, '?state=stopped')).find((router) => router.id === id);
  return await until(find, `the end of ${id}`, REPORT_MS_MAX);
}

test.each(STORES)(
  'on %s, a router that is stopped has ended by itself, and one that is killed was declared dead',
  { timeout: 240_000 },
  async (store) => {
    await using undo = new AsyncDisposableStack();
    const routers = store === 'postgres' ? 2 : 1;
    const fleet = await (await open(store, undo)).fleet({ routers, processes: 1 });
    const subject = fleet.router(routers - 1);

    const first = await running(fleet, subject.process.pid);
    expect(first.ended).toBeNull();
    const told = Date.now();
    expect(await subject.process.stop(STOP_MS_MAX)).toBe(0);
    await subject.start();
    const byItself = await stopped(fleet, first.id);
    expect(byItself.ended).toMatchObject({ declared_dead_by: null });
    expect(Date.parse(byItself.ended?.at ?? '')).toBeGreaterThanOrEqual(told);

    const second = await running(fleet, subject.process.pid);
    await subject.process.kill();
    await subject.start();
    const { ended } = await stopped(fleet, second.id);
    const others = (await routersOf(fleet)).map(({ id }) => id);
    // The one that runs, or the one that took the place of the killed one.
    expect(others).toContain(ended?.declared_dead_by);
    expect(await fleet.office.call<Router>('GET', `/routers/${second.id}`)).toMatchObject({
      state: 'stopped',
      ended,
    });
  },
);
