/** How requests ended in the last hour and day, against those before, for operators. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FleetHistory } from '../../../router/history/history.ts';
import { HistoryRecorder } from '../../../router/history/recorder.ts';
import { PlatformReliability, PlatformStatus } from '../../../shared/api/platform.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { log, type Rig, startRig } from './rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** More than two days before the figures are read. */
const START = Date.UTC(2026, 0, 29, 1);

let clock: ManualClock;
let rig: Rig;
beforeAll(async () => {
  clock = new ManualClock(START);
  rig = await startRig(clock);
});
afterAll(() => rig[Symbol.asyncDispose]());

async function read(): Promise<PlatformReliability> {
  const { status, body } = await rig.ask('GET', '/api/v1/platform/reliability');
  expect(status, JSON.stringify(body)).toBe(200);
  return PlatformReliability.parse(body);
}

test('without history there are no figures, and no share of nothing', async () => {
  const none = { answered: 0, failed: 0, availability: null, ttft_ms: null, queue_ms: null };
  const { hour, day, tokens } = await read();
  for (const { present, before } of [hour, day]) {
    expect([present, before]).toMatchObject([none, none]);
  }
  expect(tokens).toEqual({ today: 0, yesterday: 0 });
});

test('requests of all regions are compared with those of the time before, by how they ended', async () => {
  const recorder = new HistoryRecorder();
  const { store, fleet } = rig;
  let length = 0;
  const sampled = () => ({
    workers: fleet.workers,
    models: [],
    waiting: [{ model: 'lab/small', region: 'eu' as const, length }],
    regions: ['eu' as const, 'global' as const],
  });
  await using history = new FleetHistory({ recorder, store, clock, random, log, sampled });
  const served = async (statuses: readonly number[], ttftMs: number, tokens: number) => {
    statuses.forEach((status, at) => recorder.ended(at % 2 ? 'eu' : 'global', null, status));
    recorder.firstToken('eu', 'lab/small', ttftMs);
    recorder.billed('eu', {
      model: 'lab/small',
      agent: null,
      worker: null,
      promptTokens: tokens,
      cachedTokens: 0,
      completionTokens: 1,
    });
    clock.advance(MINUTE_MS);
    await history.written();
  };
  // In neither of the two days.
  await served([500], 9_000, 1_000);
  clock.advance(24 * HOUR_MS - MINUTE_MS);
  // Yesterday at one: in the day before.
  await served([200, 503], 100, 50);
  clock.advance(24 * HOUR_MS - MINUTE_MS);
  // Today at one: in the hour before.
  await served([200, 200, 499, 500, 503, 429, 400], 800, 99);
  clock.advance(HOUR_MS - MINUTE_MS);
  await history.written();
  // In the last hour: two requests wait in three samples.
  length = 2;
  clock.advance(30_000);
  length = 0;
  await served([200, 200, 200], 400, 7);
  expect(new Date(clock.now()).toISOString()).toBe('2026-01-31T02:01:30.000Z');
  const { hour, day, tokens } = await read();
  expect(hour).toMatchObject({
    start: '2026-01-31T01:01:00.000Z',
    end: '2026-01-31T02:01:00.000Z',
  });
  expect(hour.present).toMatchObject({ answered: 3, failed: 0, availability: 1 });
  expect(hour.present.ttft_ms?.p50).toBeGreaterThan(350);
  // Two requests for thirty seconds, over three requests.
  expect(hour.present.queue_ms).toBe(20_000);
  expect(hour.before).toMatchObject({
    answered: 2,
    cancelled: 1,
    failed: 1,
    unavailable: 1,
    limited: 1,
    refused: 1,
    availability: 0.6,
    queue_ms: 0,
  });
  expect(day).toMatchObject({
    start: '2026-01-30T03:00:00.000Z',
    end: '2026-01-31T02:01:00.000Z',
    present: { answered: 5, failed: 1, unavailable: 1, availability: 0.75 },
    before: { answered: 1, failed: 0, unavailable: 1, availability: 0.5 },
  });
  expect(tokens).toEqual({ today: 100, yesterday: 51 });
});

test('an alarm says that too many requests of the last hour failed, until the hour has passed', async () => {
  const recorder = new HistoryRecorder();
  const { store, fleet } = rig;
  const sampled = () => ({ workers: fleet.workers, models: [], waiting: [], regions: [] });
  await using history = new FleetHistory({ recorder, store, clock, random, log, sampled });
  const alarms = async () => {
    const { body } = await rig.ask('GET', '/api/v1/platform/status');
    return PlatformStatus.parse(body).alarms.filter(({ kind }) => kind === 'availability_low');
  };
  clock.advance(HOUR_MS);
  await history.written();
  expect(await alarms()).toEqual([]);
  for (let nth = 0; nth < 12; nth++) recorder.ended('eu', null, 500);
  clock.advance(MINUTE_MS);
  await history.written();
  clock.advance(MINUTE_MS);
  await history.written();
  expect(await alarms()).toMatchObject([
    { severity: 'urgent', page: 'fleet', runbook: 'PenstockAvailabilityBurnsFast' },
  ]);
  clock.advance(HOUR_MS);
  await history.written();
  expect(await alarms()).toEqual([]);
});
