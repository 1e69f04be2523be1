/** The alarms of the platform, with their beginnings and ends, as operators list them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { forgetAlarms, recordAlarms } from '../../../router/control/platform/alarm-log.ts';
import { type AlarmFacts, alarmsFrom } from '../../../router/control/platform/alarms.ts';
import { readPlatformState } from '../../../router/control/platform/procedures.ts';
import {
  AlarmsPage,
  LatestAlarms,
  PlatformStatus,
  type RecordedAlarm,
} from '../../../shared/api/platform.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { namesOf, NOTHING, NOW, seenBy } from './alarm-facts.ts';
import { type Rig, startRig } from './rig.ts';

const MINUTE_MS = 60_000;
const NO_JOBS = { failed: 0, oldestFailed: null, retried: 0, oldestDue: null };

const clock = new ManualClock(NOW);
let rig: Rig;
beforeAll(async () => {
  rig = await startRig(clock);
});
afterAll(() => rig[Symbol.asyncDispose]());
beforeEach(() => rig.place.sql('delete from alarms'));

const at = (minute: number) => new Date(NOW + minute * MINUTE_MS).toISOString();

/** Records alarms as a router does that finds these facts. */
async function record(minute: number, facts: Partial<AlarmFacts>): Promise<void> {
  const now = NOW + minute * MINUTE_MS;
  const alarms = alarmsFrom({ ...NOTHING, now, routers: [], jobs: NO_JOBS, ...facts });
  await rig.store.call(recordAlarms, { alarms, now });
}

const unready = (...names: string[]) => ({
  seen: [seenBy({ unready_workers: namesOf(...names) })],
});

async function list(query: Readonly<Record<string, string>> = {}): Promise<AlarmsPage> {
  const asked = new URLSearchParams(query).toString();
  const { status, body } = await rig.ask('GET', `/api/v1/platform/alarms?${asked}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return AlarmsPage.parse(body);
}

const times = ({ kind, began, ended }: RecordedAlarm) => [kind, began, ended];

test('an alarm is listed with its beginning, and with its end when it is over', async () => {
  await record(0, unready('gpu-1/vllm'));
  expect((await list()).data).toEqual([
    {
      id: expect.stringMatching(/^alm_/),
      kind: 'worker_not_ready',
      subject: '',
      severity: 'warning',
      message: '1 worker is not ready: gpu-1/vllm.',
      page: 'fleet',
      affected: 1,
      runbook: 'PenstockEngineDown',
      models: [],
      regions: [],
      routers: [],
      began: at(0),
      ended: null,
    },
  ]);
  await record(1, unready('gpu-1/vllm'));
  await record(2, {});
  expect((await list()).data.map(times)).toEqual([['worker_not_ready', at(0), at(2)]]);
});

test('a router records what it finds: the alarms of its status', async () => {
  await rig.alarmsTask.run();
  const { body } = await rig.ask('GET', '/api/v1/platform/status');
  const found = PlatformStatus.parse(body).alarms;
  expect(found.map(({ kind }) => kind)).toContain('no_worker');
  const recorded = (await list()).data;
  expect(recorded.map(({ message }) => message).toSorted()).toEqual(
    found.map(({ message }) => message).toSorted(),
  );
});

test('an alarm that is back within three minutes has not ended', async () => {
  await record(0, unready('gpu-1/vllm'));
  await record(1, {});
  await record(4, unready('gpu-1/vllm'));
  expect((await list()).data.map(times)).toEqual([['worker_not_ready', at(0), null]]);
  await record(5, {});
  await record(9, unready('gpu-1/vllm'));
  expect((await list()).data.map(times)).toEqual([
    ['worker_not_ready', at(9), null],
    ['worker_not_ready', at(0), at(5)],
  ]);
});

test('what is kept is the sentence of the time when it was about the most', async () => {
  await record(0, unready('gpu-1/vllm'));
  await record(1, unready('gpu-1/vllm', 'gpu-2/vllm'));
  await record(2, unready('gpu-2/vllm'));
  const [alarm] = (await list()).data;
  expect(alarm).toMatchObject({
    message: '2 workers are not ready: gpu-1/vllm, gpu-2/vllm.',
    affected: 2,
    ended: null,
  });
});

test('a sentence that tells an age or other names is that of the last time when it was as bad', async () => {
  await record(0, { jobs: { ...NO_JOBS, oldestDue: NOW - 20 * MINUTE_MS } });
  await record(1, { jobs: { ...NO_JOBS, oldestDue: NOW - 20 * MINUTE_MS } });
  const [alarm] = (await list()).data;
  expect(alarm?.message).toBe('A job that is due has waited for 21 minutes.');
});

test('certificates of two routers with one address are one alarm, with the earlier end', async () => {
  const day = 24 * 60 * MINUTE_MS;
  const of = (name: string, days: number) =>
    seenBy({ certificates: [{ listener: 'https://0.0.0.0', expires: NOW + days * day }] }, name);
  const seen = [of('gateway-1', 9), of('gateway-2', 5)];
  await record(0, { seen });
  await record(1, { seen });
  const { data } = await list();
  expect(data).toMatchObject([
    {
      kind: 'certificate',
      subject: 'https://0.0.0.0',
      message: 'The certificate of https://0.0.0.0 expires in 4 days.',
      routers: [{ id: 'gateway-1' }, { id: 'gateway-2' }],
    },
  ]);
});

test('alarms of one kind about several tasks are several alarms', async () => {
  const failing = (...tasks: string[]) => ({ seen: [seenBy({ failing_tasks: tasks })] });
  await record(0, failing('fold usage', 'forget jobs'));
  await record(1, failing('forget jobs'));
  const ends = new Map((await list()).data.map(({ subject, ended }) => [subject, ended]));
  expect(ends).toEqual(
    new Map([
      ['fold usage', at(1)],
      ['forget jobs', null],
    ]),
  );
});

test('it begins when its cause began, if that is known', async () => {
  const lostHosts = [{ name: 'gpu-1', since: NOW - 5 * MINUTE_MS }];
  await record(0, { lostHosts });
  expect((await list()).data.map(times)).toEqual([['host_lost', at(-5), null]]);
});

test('what nobody saw end, because no router ran, has ended when it was seen last', async () => {
  await record(0, unready('gpu-1/vllm'));
  await record(1, unready('gpu-1/vllm'));
  await record(60, unready('gpu-1/vllm'));
  expect((await list()).data.map(times)).toEqual([
    ['worker_not_ready', at(60), null],
    ['worker_not_ready', at(0), at(1)],
  ]);
});

test('after a time without a router, an alarm does not begin before the one that nobody saw end', async () => {
  const lostHosts = [{ name: 'gpu-1', since: NOW - 5 * MINUTE_MS }];
  await record(0, { lostHosts });
  await record(60, { lostHosts });
  await record(61, { lostHosts });
  expect((await list()).data.map(times)).toEqual([
    ['host_lost', at(0), null],
    ['host_lost', at(-5), at(0)],
  ]);
});

test('what a router finds after such a time holds since it was found', async () => {
  const beginnings = async () => {
    const state = await rig.store.call(readPlatformState, { now: NOW });
    return [...state.beginnings];
  };
  const seen = [seenBy({ catalog_rejected: true })];
  await record(-60, { seen });
  expect(await beginnings()).toEqual([]);
  await record(-2, { seen });
  expect(await beginnings()).toEqual([['catalog_rejected ', NOW - 2 * MINUTE_MS]]);
});

test('several routers that record at once make one alarm', async () => {
  await Promise.all([1, 2, 3].map(() => record(0, unready('gpu-1/vllm'))));
  await Promise.all([1, 2, 3].map(() => record(1, {})));
  expect((await list()).data.map(times)).toEqual([['worker_not_ready', at(0), at(1)]]);
});

test('those that were active in a time are listed, page by page', async () => {
  await record(0, unready('gpu-1/vllm'));
  await record(2, {});
  await record(10, unready('gpu-1/vllm'));
  await record(12, {});
  await record(20, unready('gpu-1/vllm'));
  const began = async (query: Readonly<Record<string, string>>) =>
    (await list(query)).data.map((one) => one.began);
  expect(await began({ from: at(2), until: at(20) })).toEqual([at(10), at(0)]);
  expect(await began({ from: at(3) })).toEqual([at(20), at(10)]);
  expect(await began({ until: at(10) })).toEqual([at(0)]);
  const { data, next } = await list({ limit: '2' });
  expect(data.map((one) => one.began)).toEqual([at(20), at(10)]);
  expect(await began({ limit: '2', after: next ?? '' })).toEqual([at(0)]);
});

test('the last to begin is the first, also of those that were recorded long after they began', async () => {
  await record(0, unready('gpu-1/vllm'));
  await record(1, {});
  await record(10, { lostHosts: [{ name: 'gpu-1', since: NOW - 5 * MINUTE_MS }] });
  await record(20, { lostHosts: [], jobs: { ...NO_JOBS, failed: 1, oldestFailed: NOW } });
  const kinds = [];
  let after: string | null = null;
  do {
    const { data, next }: AlarmsPage = await list({ limit: '1', ...(after && { after }) });
    kinds.push(...data.map(({ kind }) => kind));
    after = next;
  } while (after !== null);
  expect(kinds).toEqual(['jobs_failed', 'worker_not_ready', 'host_lost']);
  expect((await list()).data.map(({ kind }) => kind)).toEqual(kinds);
});

test('an alarm whose cause is told to hold for longer begins when the one before it ended', async () => {
  const lostHosts = [{ name: 'gpu-1', since: NOW - 5 * MINUTE_MS }];
  await record(0, { lostHosts });
  await record(1, {});
  await record(10, { lostHosts });
  expect((await list()).data.map(times)).toEqual([
    ['host_lost', at(1), null],
    ['host_lost', at(-5), at(1)],
  ]);
});

test('of each kind, the alarm that was active last is told, whenever it began', async () => {
  const failing = (...tasks: string[]) => ({ seen: [seenBy({ failing_tasks: tasks })] });
  await record(0, failing('fold usage'));
  await record(4, failing('fold usage', 'forget jobs'));
  await record(6, { ...failing('fold usage'), jobs: { ...NO_JOBS, failed: 1, oldestFailed: NOW } });
  await record(8, { jobs: { ...NO_JOBS, failed: 1, oldestFailed: NOW } });
  await record(20, unready('gpu-1/vllm'));
  await record(22, {});
  await record(40, unready('gpu-2/vllm'));
  const { status, body } = await rig.ask('GET', '/api/v1/platform/alarms/latest');
  expect(status).toBe(200);
  const latest = LatestAlarms.parse(body).data;
  expect(latest.map((one) => [one.kind, one.subject, one.ended])).toEqual([
    ['jobs_failed', '', at(8)],
    ['task_failing', 'fold usage', at(8)],
    ['worker_not_ready', '', null],
  ]);
});

test('old alarms are forgotten, and the oldest of too many, but none that is active', async () => {
  await record(0, unready('gpu-1/vllm'));
  await record(1, {});
  await record(10, unready('gpu-1/vllm'));
  await record(11, {});
  await record(20, unready('gpu-1/vllm'));
  const forget = (before: number, most: number) =>
    rig.store.call(forgetAlarms, { before: NOW + before * MINUTE_MS, most, rows: 500 });
  expect(await forget(1, 10)).toBe(0);
  expect(await forget(2, 10)).toBe(1);
  expect(await forget(0, 1)).toBe(1);
  expect(await forget(60, 0)).toBe(0);
  expect((await list()).data.map(times)).toEqual([['worker_not_ready', at(20), null]]);
});
