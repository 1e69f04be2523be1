/** The models and their state, as anybody sees them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PublicModels, Status } from '../../../shared/api/public-figures.ts';
import { PlatformStatus } from '../../../shared/api/platform.ts';
import { mintId } from '../../../shared/ids.ts';
import { PUBLIC_READS } from '../../../router/control/public-figures/read-limit.ts';
import { FleetHistory } from '../../../router/history/history.ts';
import { LISTENED, SERVED } from '../../../router/history/figures.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import { HistoryRecorder } from '../../../router/history/recorder.ts';
import { writeHistory } from '../../../router/history/write.ts';
import { systemClock } from '../../../shared/clock.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { ScriptedAgent } from '../request/scripted-agent.ts';
import { signIn } from './people.ts';
import { BUSY, Observer } from './history-observer.ts';
import { log, type Rig, startRig } from './rig.ts';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 2, 10, 12);
const QUIET = 'qwen/qwen3.5-397b-a17b';
const RARE = 'deepseek-ai/deepseek-v4-flash';

let clock: ManualClock;
let rig: Rig;
beforeAll(async () => {
  clock = new ManualClock(START);
  rig = await startRig(clock);
});
afterAll(() => rig[Symbol.asyncDispose]());

/** Nobody: without a session and without a token. */
const NOBODY = { authorization: '' };

async function readModels(from = rig) {
  const { status, body } = await from.ask('GET', '/api/v1/models', undefined, NOBODY);
  expect(status).toBe(200);
  return PublicModels.parse(body);
}

async function readStatus(from = rig) {
  const { status, body } = await from.ask('GET', '/api/v1/status', undefined, NOBODY);
  expect(status).toBe(200);
  return Status.parse(body);
}

const modelOf = ({ data }: PublicModels, id: string) => data.find((one) => one.id === id);
const statusOf = ({ models }: Status, id: string) => models.find((one) => one.id === id);

test('without a history, every model is listed as the catalog has it, without any figure', async () => {
  const { data } = await readModels();
  const own = await rig.ask('GET', `/api/v1/organizations/${rig.first.organization.id}/models`);
  expect(data.map(({ id }) => id)).toEqual(own.body.data.map(({ id }: { id: string }) => id));
  const none = { requests: null, success: null, ttft_ms: null, speed: null };
  for (const model of data) {
    expect(model).toMatchObject({
      regions: [{ region: 'global', state: 'no_data' }],
      uptime: null,
      uptime_since: null,
      figures: { hour: none, day: none, month: none },
    });
    expect(model).not.toHaveProperty('billed');
    expect(model).not.toHaveProperty('thinking');
  }
  for (const { regions } of (await readStatus()).models) {
    expect(regions).toEqual([
      {
        region: 'global',
        state: 'no_data',
        uptime: null,
        uptime_since: null,
        days: [],
        outages: [],
      },
    ]);
  }
});

test('an hour, a day and 30 days have their own figures, and too few requests have none', async () => {
  const observer = new Observer(clock, rig.store);
  observer.requests(24, 200);
  observer.requests(1, 503);
  observer.requests(9, 429);
  observer.requests(9, 499);
  observer.requests(19, 200, RARE);
  await observer.minute(clock.now() - 20 * MINUTE_MS, 6);
  observer.requests(75, 502);
  await observer.minute(clock.now() - 3 * HOUR_MS, 6);
  observer.requests(1_134, 200);
  await observer.minute(clock.now() - 5 * DAY_MS, 6);
  clock.advance(10 * MINUTE_MS);
  const models = await readModels();
  const busy = modelOf(models, BUSY)?.figures;
  expect(busy?.hour).toEqual({
    requests: 20,
    success: 0.96,
    ttft_ms: { p50: expect.closeTo(210, -2), p95: expect.closeTo(330, -2) },
    speed: {
      p5: expect.closeTo(50, -1),
      p50: expect.closeTo(50, -1),
      p95: expect.closeTo(50, -1),
    },
  });
  expect(busy?.day).toMatchObject({ requests: 100, success: 0.24 });
  expect(busy?.month).toMatchObject({ requests: 1_000, success: 0.93 });
  expect(modelOf(models, RARE)?.figures.month).toEqual({
    requests: null,
    success: null,
    ttft_ms: null,
    speed: null,
  });
});

test('the speed of the slowest answers is told beside the median', async () => {
  await using fresh = await startRig(clock);
  const observer = new Observer(clock, fresh.store);
  observer.requests(2, 200, BUSY, 10);
  observer.requests(28, 200, BUSY, 80);
  await observer.minute(clock.now() - 5 * MINUTE_MS, 6);
  expect(modelOf(await readModels(fresh), BUSY)?.figures.hour.speed).toEqual({
    p5: expect.closeTo(10, 0),
    p50: expect.closeTo(80, -1),
    p95: expect.closeTo(80, -1),
  });
});

test('a longer time never has fewer requests than a shorter one, whenever it is asked for', async () => {
  await using fresh = await startRig(clock);
  const observer = new Observer(clock, fresh.store);
  observer.requests(30, 200);
  await observer.minute(clock.now() - 5 * HOUR_MS, 6);
  const counts = async () => {
    const figures = modelOf(await readModels(fresh), BUSY)?.figures;
    return [figures?.hour.requests, figures?.day.requests, figures?.month.requests];
  };
  expect(await counts()).toEqual([null, 30, 30]);
  // What was before the last hour is read again only after ten minutes; a full hour begins meanwhile.
  clock.advance(HOUR_MS - (clock.now() % HOUR_MS) - 4 * MINUTE_MS);
  expect(await counts()).toEqual([null, 30, 30]);
  clock.advance(5 * MINUTE_MS);
  observer.requests(100, 200);
  // A router that could not reach the store writes what it did half an hour ago.
  await observer.minute(clock.now() - 30 * MINUTE_MS, 6);
  expect(await counts()).toEqual([100, 100, 100]);
  observer.requests(100, 200);
  await observer.minute(clock.now() - MINUTE_MS, 6);
  clock.advance(MINUTE_MS);
  expect(await counts()).toEqual([200, 200, 200]);
  clock.advance(30 * MINUTE_MS);
  expect(await counts()).toEqual([100, 200, 200]);
});

test('a state is made of the last ten minutes: it is good, worse, without capacity or unknown', async () => {
  const observer = new Observer(clock, rig.store);
  const stateNow = async (model = BUSY) => {
    clock.advance(MINUTE_MS);
    return statusOf(await readStatus(), model)?.regions[0]?.state;
  };
  const last = () => clock.now() - MINUTE_MS;
  for (let minute = 10; minute >= 1; minute--) {
    await observer.minute(clock.now() - minute * MINUTE_MS, 6);
  }
  expect(await stateNow()).toBe('operational');
  observer.requests(1, 503);
  await observer.minute(last(), 6);
  expect(await stateNow()).toBe('operational');
  observer.requests(30, 503);
  await observer.minute(last(), 6);
  expect(await stateNow()).toBe('degraded');
  await observer.minute(last(), 0);
  expect(await stateNow()).toBe('no_capacity');
  await observer.minute(last(), 6);
  clock.advance(8 * MINUTE_MS);
  expect(await stateNow()).toBe('operational');
  clock.advance(2 * MINUTE_MS);
  expect(await stateNow()).toBe('no_data');
  // A worker that is there for half of the time.
  const first = Math.floor(clock.now() / MINUTE_MS - 4) * MINUTE_MS;
  for (let minute = 4; minute >= 1; minute--) {
    await observer.minute(clock.now() - minute * MINUTE_MS, 3, QUIET);
  }
  expect(await stateNow(QUIET)).toBe('degraded');
  // Operators are told of it, too, until it has recovered, which customers are told later.
  const alarm = async () =>
    PlatformStatus.parse((await rig.ask('GET', '/api/v1/platform/status')).body).alarms.find(
      ({ kind }) => kind === 'model_degraded',
    );
  expect(await alarm()).toMatchObject({
    severity: 'warning',
    message: expect.stringContaining(QUIET),
    // The first minute with a ready worker does not count, and half of one more is not too much.
    since: new Date(first + 2 * MINUTE_MS).toISOString(),
  });
  clock.advance(2 * MINUTE_MS);
  await observer.minute(last(), 6, QUIET);
  expect(await stateNow(QUIET)).toBe('degraded');
  expect(await alarm()).toBeUndefined();
});

test('a worker that is ready at this instant does not hide what was recorded', async () => {
  await using fresh = await startRig(clock);
  const { fleet, store } = fresh;
  const stateOf = async (): Promise<readonly (string | undefined)[]> => {
    clock.advance(10_000);
    const [models, status] = [await readModels(fresh), await readStatus(fresh)];
    return [modelOf(models, BUSY), statusOf(status, BUSY)].map((one) => one?.regions[0]?.state);
  };
  const both = (state: string) => [state, state];
  const worker = () => {
    const agent = new ScriptedAgent(fleet, { clock: systemClock, log }, 'here');
    agent.report([BUSY]);
    return agent;
  };
  // Nothing is recorded yet, so that the router says what it sees.
  const first = worker();
  expect(await stateOf()).toEqual(both('operational'));
  clock.advance(MINUTE_MS);
  const observer = new Observer(clock, store);
  for (let minute = 9; minute >= 2; minute--) {
    await observer.minute(clock.now() - minute * MINUTE_MS, 6);
  }
  await observer.minute(clock.now() - MINUTE_MS, 0);
  expect(await stateOf()).toEqual(both('no_capacity'));
  clock.advance(MINUTE_MS);
  await observer.minute(clock.now() - MINUTE_MS, 6);
  expect(await stateOf()).toEqual(both('degraded'));
  first.drop();
  expect(await stateOf()).toEqual(both('no_capacity'));
  worker();
  expect(await stateOf()).toEqual(both('degraded'));
});

test('a model that starts is neither degraded nor has it an uptime, until an hour was measured', async () => {
  await using fresh = await startRig(clock);
  const recorder = new HistoryRecorder();
  const router = mintId('incarnation', clock, random);
  for (const [nth, served] of [0, 2, 6, 6].entries()) {
    const cell = recorder.model('global', BUSY);
    cell?.add(LISTENED, 6);
    cell?.add(SERVED, served);
    const [now, number] = [clock.now(), nth + 1];
    const place = { router, number, minute: now - (4 - nth) * MINUTE_MS, now };
    await fresh.store.call(writeHistory, { ...place, cells: recorder.take() });
  }
  const [busy] = statusOf(await readStatus(fresh), BUSY)?.regions ?? [];
  expect(busy).toMatchObject({ state: 'operational', uptime: null });
  expect(busy?.uptime_since).not.toBeNull();
  expect(new Set(busy?.days)).toEqual(new Set([null]));
});

test('longer times are read once in ten minutes, unless the installation has just begun to record', async () => {
  const sinceOf = async (from: Rig, afterMs: number) => {
    clock.advance(afterMs);
    return statusOf(await readStatus(from), BUSY)?.regions[0]?.uptime_since ?? null;
  };
  for (const startedAgo of [MINUTE_MS, 3 * HOUR_MS]) {
    await using fresh = await startRig(clock);
    const observer = new Observer(clock, fresh.store);
    await observer.minute(clock.now() - startedAgo, 0);
    expect(await sinceOf(fresh, 10_000)).toBeNull();
    await observer.minute(clock.now() - MINUTE_MS, 6);
    const isNew = startedAgo === MINUTE_MS;
    if (isNew) expect(await sinceOf(fresh, 10_000)).not.toBeNull();
    else expect(await sinceOf(fresh, 10_000)).toBeNull();
    expect(await sinceOf(fresh, 10 * MINUTE_MS)).not.toBeNull();
  }
});

test('figures are read once in ten seconds, and by one reader at a time, however many ask', async () => {
  clock.advance(10 * MINUTE_MS);
  const observer = new Observer(clock, rig.store);
  await observer.minute(clock.now() - MINUTE_MS, 6);
  const all = await Promise.all([readStatus(), readStatus(), readModels()]);
  expect(new Set(all.map((one) => one.as_of)).size).toBe(1);
  expect(statusOf(all[0], BUSY)?.regions[0]?.state).toBe('operational');
  await observer.minute(clock.now() - MINUTE_MS, 0, QUIET);
  clock.advance(9_999);
  expect(statusOf(await readStatus(), QUIET)?.regions[0]?.state).toBe('no_data');
  clock.advance(1);
  expect(statusOf(await readStatus(), QUIET)?.regions[0]?.state).toBe('no_capacity');
});

test('an address that asks without end is refused for a while', async () => {
  clock.advance(MINUTE_MS);
  const statuses: number[] = [];
  for (let nth = 0; nth <= PUBLIC_READS.peer.burst; nth++) {
    const { status, body } = await rig.ask('GET', '/api/v1/status', undefined, NOBODY);
    statuses.push(status);
    if (status !== 200) expect(body.error.code).toBe('rate_limited');
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(PUBLIC_READS.peer.burst);
  expect(statuses.at(-1)).toBe(429);
  clock.advance(1_000);
  expect((await rig.ask('GET', '/api/v1/models', undefined, NOBODY)).status).toBe(200);
});

test('where models are not public, they are for people who are signed in', async () => {
  await using closed = await startRig(clock, ['global'], { publicModels: false });
  for (const path of ['/api/v1/models', '/api/v1/status']) {
    expect((await closed.ask('GET', path, undefined, NOBODY)).status).toBe(401);
    const stranger = await signIn(closed);
    expect((await stranger.ask('GET', path)).status).toBe(200);
  }
  const page = async (from: Rig) =>
    (await fetch(`${from.origin}/sign-in`, { headers: { accept: 'text/html' } })).text();
  expect(await page(closed)).toContain('name="models" content="signed-in"');
  expect(await page(rig)).toContain('name="models" content="public"');
});

test('a router that samples every ten seconds has an uptime of 1', async () => {
  await using fresh = await startRig(clock);
  const { store } = fresh;
  const recorder = new HistoryRecorder();
  const workers = [
    { agent: 'agt_1', name: 'vllm', region: 'global', models: new Set([BUSY]), isServing: true },
  ].map((worker) => ({
    ...worker,
    slots: 1,
    load: { running: 0, waiting: 0, kvUse: 0, gpus: [] },
  }));
  const sampled = () => ({
    workers: workers as never,
    models: [BUSY, QUIET],
    waiting: [],
    regions: ['global' as const],
  });
  await using history = new FleetHistory({ recorder, store, clock, random, log, sampled });
  const started = clock.now();
  for (let minute = 0; minute < 150; minute++) {
    clock.advance(MINUTE_MS);
    await history.written();
  }
  const { models } = await readStatus(fresh);
  const [busy] = models.filter(({ id }) => id === BUSY).flatMap(({ regions }) => regions);
  expect(busy).toMatchObject({ region: 'global', state: 'operational', uptime: 1 });
  expect([busy?.days.length, busy?.days.at(-1)]).toEqual([30, 1]);
  // Never earlier than the first sample.
  const first = Math.ceil(started / MINUTE_MS) * MINUTE_MS;
  expect(busy?.uptime_since).toBe(new Date(first).toISOString());
  expect(busy?.days.slice(0, 28)).toEqual(Array.from({ length: 28 }, () => null));
  const [quiet] = models.filter(({ id }) => id === QUIET).flatMap(({ regions }) => regions);
  // It was never served, so that there is nothing to measure yet.
  expect(quiet).toMatchObject({ state: 'no_capacity', uptime: null, uptime_since: null });
});
