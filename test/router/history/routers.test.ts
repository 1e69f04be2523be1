/** The uptime of a model that one router offers, and of one that three routers offer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LISTENED, SERVED } from '../../../router/history/figures.ts';
import { readLongFigures } from '../../../router/history/models.ts';
import { HistoryRecorder } from '../../../router/history/recorder.ts';
import { uptimeOf } from '../../../router/history/uptime.ts';
import { writeHistory } from '../../../router/history/write.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/durations.ts';
import { mintId } from '../../../shared/ids.ts';
import { Rig } from '../ledger/rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await Rig.start();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** The samples of a minute in which a worker was ready; null: no sample was taken. */
type Minute = number | null;

/** Writes what each router sampled in consecutive minutes, which end with the current hour. */
async function record(model: string, routers: readonly (readonly Minute[])[]): Promise<void> {
  const end = rig.clock.now() - (rig.clock.now() % HOUR_MS);
  for (const minutes of routers) {
    const router = mintId('incarnation', rig.clock, rig.random);
    const recorder = new HistoryRecorder();
    for (const [nth, served] of minutes.entries()) {
      if (served === null) continue;
      recorder.model('global', model)?.add(LISTENED, 6);
      recorder.model('global', model)?.add(SERVED, served);
      const minute = end - (minutes.length - nth) * MINUTE_MS;
      const place = { router, number: nth + 1, minute, now: rig.clock.now() };
      await rig.store.call(writeHistory, { ...place, cells: recorder.take() });
    }
  }
}

async function uptimeFrom(model: string) {
  const query = { models: [model], now: rig.clock.now() };
  const [found] = (await rig.store.call(readLongFigures, query)).uptime;
  return { uptime: uptimeOf(found?.days ?? []), since: found?.since };
}

const minutes = (count: number, served: Minute): Minute[] =>
  Array.from({ length: count }, () => served);

test('the uptime is the same with one router and with three, through outages of workers and of all routers', async () => {
  rig.clock.advance(10 * HOUR_MS - (rig.clock.now() % HOUR_MS));
  const first = minutes(60, 6);
  const allRoutersGone = [...minutes(30, 6), ...minutes(30, null)];
  const workersGone = [...minutes(30, 0), ...minutes(30, 6)];
  // Only one router runs in the second half of the last hour.
  const workersGoneForTwo = [...minutes(30, 0), ...minutes(30, null)];
  const one = [...first, ...allRoutersGone, ...workersGone];
  const other = [...first, ...allRoutersGone, ...workersGoneForTwo];
  await record('lab/one', [one]);
  await record('lab/three', [one, other, other]);
  const withOne = await uptimeFrom('lab/one');
  expect(withOne.uptime).toBe(0.6666);
  expect(await uptimeFrom('lab/three')).toEqual(withOne);
});

test('the uptime of a model that has just started is measured for the same time by one router and by three', async () => {
  const started = [...minutes(40, 0), ...minutes(20, 6)];
  await record('lab/new-one', [started]);
  await record('lab/new-three', [started, started, started]);
  const withOne = await uptimeFrom('lab/new-one');
  expect(withOne.uptime).toBe(1);
  expect(await uptimeFrom('lab/new-three')).toEqual(withOne);
});

test('a minute in which the routers differ counts by the share of those that saw a worker', async () => {
  const all = minutes(120, 6);
  await record('lab/differing', [all, all, [...minutes(90, 6), ...minutes(30, 0)]]);
  expect((await uptimeFrom('lab/differing')).uptime).toBe(0.9166);
});
