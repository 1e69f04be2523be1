/** The history of the fleet in the management API. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FleetHistory as FleetHistoryAnswer } from '../../../shared/api/fleet-history.ts';
import { FleetHistory } from '../../../router/history/history.ts';
import { HistoryRecorder } from '../../../router/history/recorder.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { log, type Rig, startRig } from './rig.ts';

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 1, 12);
const MODEL = 'lab/small';

let clock: ManualClock;
let rig: Rig;
let agent: string;
beforeAll(async () => {
  clock = new ManualClock(START);
  rig = await startRig(clock);
  agent = (await rig.ask('POST', '/api/v1/agents', { name: 'gpu-1' })).body.id;
  const recorder = new HistoryRecorder();
  const { store, fleet } = rig;
  const sampled = () => ({
    workers: fleet.workers,
    models: [MODEL],
    waiting: [],
    regions: ['eu' as const],
  });
  await using history = new FleetHistory({ recorder, store, clock, random, log, sampled });
  for (const ttftMs of [200, 400]) {
    recorder.attempted({ agent: agent as never, name: 'vllm', region: 'eu' }, 'finished', ttftMs);
    recorder.ended('eu', MODEL, 200);
    recorder.firstToken('eu', MODEL, ttftMs);
    clock.advance(30 * MINUTE_MS);
    await history.written();
  }
});
afterAll(() => rig[Symbol.asyncDispose]());

async function read(query: string) {
  const { status, body } = await rig.ask('GET', `/api/v1/fleet/history?${query}`);
  expect(status).toBe(200);
  return FleetHistoryAnswer.parse(body);
}

test('a span has buckets of its length, of which only those with figures are listed', async () => {
  const hour = await read('');
  expect(hour).toMatchObject({
    start: '2026-01-01T12:00:00.000Z',
    end: '2026-01-01T13:00:00.000Z',
    bucket_seconds: 60,
  });
  const answers = (from: typeof hour) =>
    from.groups.map(({ points }) =>
      points.filter(({ answered }) => answered > 0).map(({ at, answered }) => [at, answered]),
    );
  expect(answers(hour)).toEqual([
    [
      ['2026-01-01T12:00:00.000Z', 1],
      ['2026-01-01T12:30:00.000Z', 1],
    ],
  ]);
  const day = await read('span=day&group_by=model');
  expect([day.start, day.bucket_seconds]).toEqual(['2025-12-31T13:00:00.000Z', 600]);
  expect(answers(day)[0]).toHaveLength(2);
  for (const [span, seconds] of [
    ['week', 3_600],
    ['month', 14_400],
  ]) {
    const longer = await read(`span=${span}`);
    expect(longer.bucket_seconds).toBe(seconds);
    expect(answers(longer)).toEqual([[[expect.any(String), 2]]]);
  }
});

test('a range has whole buckets, as short as the history still has them', async () => {
  const short = await read('start=2026-01-01T12:20:00Z&end=2026-01-01T12:40:00Z');
  expect(short).toMatchObject({
    start: '2026-01-01T12:20:00.000Z',
    end: '2026-01-01T12:40:00.000Z',
    bucket_seconds: 60,
    groups: [{ total: { answered: 1 } }],
  });
  expect(short.groups[0]?.points.filter(({ answered }) => answered > 0)).toMatchObject([
    { at: '2026-01-01T12:30:00.000Z' },
  ]);
  const upToNow = await read('start=2025-12-31');
  expect(upToNow).toMatchObject({ end: '2026-01-01T13:00:00.000Z', bucket_seconds: 600 });
  const older = await read('start=2025-12-29T06:30:00Z&end=2025-12-29T07:30:00Z');
  expect(older).toMatchObject({
    start: '2025-12-29T06:00:00.000Z',
    end: '2025-12-29T08:00:00.000Z',
    bucket_seconds: 3_600,
  });
  expect((await read('start=2025-12-10')).bucket_seconds).toBe(14_400);
});

test('a range that the history cannot have is refused', async () => {
  for (const [query, param] of [
    ['end=2026-01-01T12:00:00Z', 'start'],
    ['start=2025-11-01', 'start'],
    ['start=2026-01-01T12:00:00Z&end=2026-01-01T12:00:00Z', 'end'],
    ['start=2026-02-01', 'start'],
    ['start=2026-02-01&end=2026-03-01', 'end'],
    ['start=yesterday', 'start'],
  ]) {
    const { status, body } = await rig.ask('GET', `/api/v1/fleet/history?${query}`);
    expect([query, status, body.error.param]).toEqual([query, 400, param]);
  }
});

test('groups have the names of what they are about, and filters narrow them', async () => {
  expect((await read('group_by=agent')).groups).toMatchObject([
    { agent, agent_name: 'gpu-1', worker: null, model: null, total: { answered: 2 } },
  ]);
  const worker = encodeURIComponent(`${agent}/vllm`);
  expect((await read(`worker=${worker}`)).groups).toMatchObject([{ total: { answered: 2 } }]);
  expect((await read(`model=${MODEL}&region=eu`)).groups).toMatchObject([
    {
      model: MODEL,
      region: 'eu',
      total: {
        availability: 0,
        ttft_ms: { p95: expect.any(Number), p99: expect.closeTo(400, -2) },
      },
    },
  ]);
  expect((await read('region=us')).groups).toEqual([]);
});

test('an answer with only totals may have more groups than one with the figures of each minute', async () => {
  const [whole] = (await read('group_by=worker&groups=20')).groups;
  expect(whole?.points).not.toEqual([]);
  const totals = await read('group_by=worker&groups=200&points=none');
  expect(totals.groups).toEqual([{ ...whole, points: [] }]);
  const { status, body } = await rig.ask('GET', '/api/v1/fleet/history?groups=21');
  expect([status, body.error.param]).toEqual([400, 'groups']);
});

test('figures of one model on one host are refused, because the history does not have them', async () => {
  for (const query of [
    `model=${MODEL}&agent=${agent}`,
    `agent=${agent}&group_by=model`,
    'worker=x',
  ]) {
    const { status, body } = await rig.ask('GET', `/api/v1/fleet/history?${query}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_value']);
  }
});

test('the events of an agent are what operators did to it and to its workers', async () => {
  const other = (await rig.ask('POST', '/api/v1/agents', { name: 'gpu-2' })).body.id as string;
  clock.advance(1);
  await rig.ask('POST', `/api/v1/agents/${other}/revoke`);
  const { status, body } = await rig.ask('GET', `/api/v1/agents/${other}/events`);
  expect(status).toBe(200);
  expect(body.data).toMatchObject([
    { action: 'agent.revoke', worker: null, actor: expect.any(String) },
    { action: 'agent.enrol', worker: null },
  ]);
});
