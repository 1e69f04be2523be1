/** The time to first token and the speed of a model over time, as anybody sees them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ModelHistory } from '../../../shared/api/public-figures.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { BUSY, Observer } from './history-observer.ts';
import { signIn } from './people.ts';
import { type Rig, startRig } from './rig.ts';

const START = Date.UTC(2026, 2, 10, 12, 2);
const QUIET = 'qwen/qwen3.5-397b-a17b';
const NOBODY = { authorization: '' };

let clock: ManualClock;
let rig: Rig;
beforeAll(async () => {
  clock = new ManualClock(START);
  rig = await startRig(clock);
});
afterAll(() => rig[Symbol.asyncDispose]());

async function read(model: string, span: string) {
  const path = `/api/v1/models/${model}/history?span=${span}`;
  const { status, body } = await rig.ask('GET', path, undefined, NOBODY);
  expect(status).toBe(200);
  return ModelHistory.parse(body);
}

const startOf = (at: number) => new Date(at).toISOString();

test('each span has its buckets, the oldest first, and too few requests have no figure', async () => {
  const observer = new Observer(clock, rig.store);
  observer.requests(20, 200);
  await observer.minute(clock.now() - 10 * MINUTE_MS, 6);
  observer.requests(19, 200);
  await observer.minute(clock.now() - 20 * MINUTE_MS, 6);
  observer.requests(40, 200, BUSY, 80);
  await observer.minute(clock.now() - 3 * HOUR_MS, 6);
  observer.requests(30, 200, BUSY, 20);
  await observer.minute(clock.now() - 10 * DAY_MS, 6);
  observer.requests(30, 200, QUIET);
  await observer.minute(clock.now() - 2 * MINUTE_MS, 6, QUIET);

  const hour = await read(BUSY, 'hour');
  expect(hour).toMatchObject({ as_of: startOf(START), model: BUSY, span: 'hour' });
  expect(hour.buckets).toHaveLength(12);
  expect(hour.buckets[0]?.start).toBe('2026-03-10T11:05:00.000Z');
  expect(hour.buckets.at(-1)?.start).toBe('2026-03-10T12:00:00.000Z');
  const known = hour.buckets.filter(({ ttft_ms }) => ttft_ms !== null);
  expect(known).toEqual([
    {
      start: '2026-03-10T11:50:00.000Z',
      ttft_ms: { p50: expect.closeTo(190, -2), p95: expect.closeTo(280, -2) },
      speed: {
        p5: expect.closeTo(50, -1),
        p50: expect.closeTo(50, -1),
        p95: expect.closeTo(50, -1),
      },
    },
  ]);

  const day = await read(BUSY, 'day');
  expect(day.buckets).toHaveLength(24);
  expect(day.buckets.at(-1)?.start).toBe('2026-03-10T12:00:00.000Z');
  expect(
    day.buckets.flatMap(({ start, speed }) => (speed ? [[start, Math.round(speed.p50 / 10)]] : [])),
  ).toEqual([
    ['2026-03-10T09:00:00.000Z', 8],
    ['2026-03-10T11:00:00.000Z', 5],
  ]);

  const month = await read(BUSY, 'month');
  expect(month.buckets).toHaveLength(120);
  expect(month.buckets.at(-1)?.start).toBe('2026-03-10T12:00:00.000Z');
  expect(
    month.buckets.flatMap(({ start, speed }) => (speed ? [[start, Math.round(speed.p50)]] : [])),
  ).toEqual([
    ['2026-02-28T12:00:00.000Z', expect.closeTo(20, -1)],
    ['2026-03-10T06:00:00.000Z', expect.any(Number)],
  ]);
});

test('a model that nobody has used has buckets without figures', async () => {
  const { buckets } = await read('moonshotai/kimi-k2.5', 'month');
  expect(buckets).toHaveLength(120);
  expect(buckets.every(({ ttft_ms, speed }) => ttft_ms === null && speed === null)).toBe(true);
});

test('the history of a model is read once in a while for each span, however many ask', async () => {
  const [first, second] = await Promise.all([read(BUSY, 'hour'), read(BUSY, 'hour')]);
  expect(second).toEqual(first);
  const observer = new Observer(clock, rig.store);
  observer.requests(25, 200);
  await observer.minute(clock.now() - MINUTE_MS, 6);
  const last = async () => (await read(BUSY, 'hour')).buckets.at(-1)?.ttft_ms;
  clock.advance(29_999);
  expect(await last()).toBeNull();
  clock.advance(1);
  expect(await last()).not.toBeNull();
});

test('a model that is not in the catalog and a span that does not exist are refused', async () => {
  const ask = (path: string) => rig.ask('GET', `/api/v1/models/${path}`, undefined, NOBODY);
  expect((await ask('no/such/history')).status).toBe(404);
  expect((await ask(`${BUSY}/history?span=year`)).status).toBe(400);
  expect((await ask('no/%00/history')).status).toBe(404);
});

test('where models are not public, it is for people who are signed in', async () => {
  await using closed = await startRig(clock, ['global'], { publicModels: false });
  const path = `/api/v1/models/${BUSY}/history`;
  expect((await closed.ask('GET', path, undefined, NOBODY)).status).toBe(401);
  const stranger = await signIn(closed);
  expect((await stranger.ask('GET', path)).status).toBe(200);
});
