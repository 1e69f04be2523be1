/**
 * What a router records of requests that were refused before they were admitted: exact counts, the
 * latest of them in full, both bounded.
 */
import { beforeEach, expect, test } from 'vitest';
import { refusalsTask } from '../../../router/control/retention/refusals.ts';
import type { Store } from '../../../router/store/store.ts';
import { StoreUnavailable } from '../../../router/store/errors.ts';
import { MINUTES_KEPT_MS } from '../../../router/usage/refusals/fold.ts';
import { DETAILS_PER_CODE } from '../../../router/usage/refusals/forget.ts';
import { countRefusals, listRefusals } from '../../../router/usage/refusals/listings.ts';
import {
  CELLS_MAX,
  CELLS_PER_ORGANIZATION_MAX,
  DETAILS_MAX,
  RefusalRecorder,
} from '../../../router/usage/refusals/recorder.ts';
import type { RefusedRequest } from '../../../router/usage/refusals/write.ts';
import { type KeyId, mintId, type OrganizationId } from '../../../shared/ids.ts';
import { limits } from '../../../shared/limits.ts';
import { makeLog } from '../../../shared/log.ts';
import { REFUSALS, type RefusalCode } from '../../../shared/refusals.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { rig, shareRig } from '../ledger/shared-rig.ts';

shareRig();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const KEY = 'key_a' as KeyId;

let organization: OrganizationId;
beforeEach(async () => {
  organization = await rig.organization(100n);
});

function refused(code: RefusalCode, more: Partial<RefusedRequest> = {}): RefusedRequest {
  return {
    request: mintId('request', rig.clock, rig.random),
    organization,
    key: KEY,
    region: 'global',
    endpoint: '/v1/chat/completions',
    model: 'lab/model',
    param: null,
    message: REFUSALS[code].message,
    status: REFUSALS[code].status,
    code,
    created: rig.clock.now(),
    ...more,
  };
}

function open(store: Pick<Store, 'call'> = rig.store): RefusalRecorder {
  return new RefusalRecorder({ ...rig.parts, store });
}

async function counted(groupBy: 'code' | 'key' | null = 'code', minutes = 1) {
  const until = Math.floor(rig.clock.now() / MINUTE_MS) + 1;
  const asked = { organization, from: 0, until, minutes, groupBy };
  return (await rig.store.call(countRefusals, asked)).map(({ group, count }) => [group, count]);
}

async function listed() {
  const page = { organization, before: null, limit: 1_000 };
  return (await rig.store.call(listRefusals, page)).rows;
}

test('refusals of several routers add up, and each is listed once', async () => {
  const [one, other] = [open(), open()];
  for (let i = 0; i < 3; i++) one.note(refused('rate_limited'));
  for (let i = 0; i < 2; i++) other.note(refused('rate_limited'));
  other.note(refused('invalid_value', { param: 'messages[0].content', model: null }));
  await one[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  expect(await counted()).toEqual([
    ['invalid_value', 1],
    ['rate_limited', 5],
  ]);
  const rows = await listed();
  expect(rows).toHaveLength(6);
  expect(rows.find(({ code }) => code === 'invalid_value')).toMatchObject({
    key: KEY,
    endpoint: '/v1/chat/completions',
    model: null,
    param: 'messages[0].content',
    message: REFUSALS.invalid_value.message,
    status: 400n,
  });
});

test('a flood costs a constant: the counts are exact, and the details are a sample', async () => {
  const recorder = open();
  for (let i = 0; i < 50_000; i++) {
    recorder.note(refused('rate_limited', { key: `key_${i % 1_000}` as KeyId }));
  }
  recorder.note(refused('insufficient_credit'));
  // One more cell for each code, which counts the keys that have none of their own.
  const { cells, details } = recorder.size;
  expect(cells).toBeLessThanOrEqual(CELLS_PER_ORGANIZATION_MAX + 2);
  expect(details).toBeLessThan(DETAILS_MAX);
  await recorder[Symbol.asyncDispose]();
  expect(recorder.size).toEqual({ cells: 0, details: 0 });
  expect(await counted()).toEqual([
    ['insufficient_credit', 1],
    ['rate_limited', 50_000],
  ]);
  const byKey = await counted('key');
  expect(byKey.find(([key]) => key === 'key_1')).toEqual(['key_1', 50]);
  // The refusal for lack of credit is listed although the other code floods.
  expect((await listed()).map(({ code }) => code)).toContain('insufficient_credit');
});

test('an organization that floods with many codes does not hide the refusals of another', async () => {
  await using recorder = open();
  for (const code of Object.keys(REFUSALS) as RefusalCode[]) {
    for (let i = 0; i < 100; i++) recorder.note(refused(code));
  }
  const { details } = recorder.size;
  expect(details).toBe(limits.refusalDetails.peer.burst);
  recorder.note(refused('rate_limited', { organization: 'org_other' as OrganizationId }));
  expect(recorder.size.details).toBe(details + 1);
});

test('cells are bounded in total, and the log says how many refusals were not counted', async () => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const nowhere: Pick<Store, 'call'> = { call: () => Promise.reject(new StoreUnavailable('away')) };
  const log = makeLog('test', 'warn', { write });
  const recorder = new RefusalRecorder({ ...rig.parts, store: nowhere, log });
  for (let i = 0; i < CELLS_MAX + 10; i++) {
    recorder.note(refused('rate_limited', { organization: `org_${i}` as OrganizationId }));
  }
  expect(recorder.size.cells).toBeLessThanOrEqual(CELLS_MAX);
  const uncounted = CELLS_MAX + 10 - recorder.size.cells;
  await recorder[Symbol.asyncDispose]();
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ refusals: uncounted });
});

test('refusals are written once a second, and a minute that goes on is not counted twice', async () => {
  await using recorder = open();
  for (let second = 0; second < 3; second++) {
    recorder.note(refused('model_not_found'));
    rig.clock.advance(1_000);
    await expect.poll(() => recorder.size.cells).toBe(0);
    expect(await counted()).toEqual([['model_not_found', second + 1]]);
  }
});

test('a write whose result is unknown is repeated without counting twice', async () => {
  let isAway = true;
  const flaky: Pick<Store, 'call'> = {
    async call(procedure, input) {
      const answer = await rig.store.call(procedure, input);
      if (isAway) throw new StoreUnavailable('the answer was lost');
      return answer;
    },
  };
  const recorder = open(flaky);
  recorder.note(refused('no_worker'));
  rig.clock.advance(1_000);
  await expect.poll(() => counted()).toEqual([['no_worker', 1]]);
  recorder.note(refused('no_worker'));
  isAway = false;
  rig.clock.advance(1_000);
  await recorder[Symbol.asyncDispose]();
  expect(await counted()).toEqual([['no_worker', 2]]);
  expect(await listed()).toHaveLength(2);
});

test('text of the client is shortened, and has no control characters', async () => {
  const recorder = open();
  const model = `a\u0000b${'x'.repeat(1_000)}`;
  recorder.note(refused('model_not_found', { model, message: 'm'.repeat(1_000) }));
  await recorder[Symbol.asyncDispose]();
  const [row] = await listed();
  expect(row?.model).toHaveLength(256);
  expect(row?.model?.startsWith('a\u{FFFD}bx')).toBe(true);
  expect(row?.message).toHaveLength(500);
});

test('nothing is recorded of an organization that is deleted', async () => {
  await rig.sql(`UPDATE organizations SET deleted = 1 WHERE id = '${organization}'`);
  const recorder = open();
  recorder.note(refused('invalid_api_key'));
  await recorder[Symbol.asyncDispose]();
  expect([await counted(), await listed()]).toEqual([[], []]);
});

test('after two days the counts of minutes become counts of hours, which several routers may fold', async () => {
  const hour = Math.ceil(rig.clock.now() / HOUR_MS) * HOUR_MS;
  rig.clock.advance(hour - rig.clock.now());
  const recorders = [open(), open()];
  for (let minute = 0; minute < 90; minute++) {
    recorders[0]?.note(refused('rate_limited'));
    recorders[1]?.note(refused('invalid_value', { key: 'key_b' as KeyId }));
    rig.clock.advance(MINUTE_MS);
  }
  for (const recorder of recorders) await recorder[Symbol.asyncDispose]();
  const rows = async () =>
    (
      await rig.place.sql(
        `select count(*) as rows from refusal_counts where organization = '${organization}'`,
      )
    )[0];
  expect(await rows()).toMatchObject({ rows: 180n });
  const byHour = await counted('code', 60);
  expect(byHour).toEqual([
    ['invalid_value', 60],
    ['rate_limited', 60],
    ['invalid_value', 30],
    ['rate_limited', 30],
  ]);
  const fold = async (clock: ManualClock) => {
    const tasks = [0, 1].map(() => refusalsTask({ store: rig.store, clock }));
    await Promise.all(tasks.map((task) => task.run()));
    await tasks[0]?.run();
  };
  // The second hour is not over long enough.
  await fold(new ManualClock(hour + HOUR_MS + MINUTES_KEPT_MS));
  expect(await rows()).toMatchObject({ rows: 62n });
  expect(await counted('code', 60)).toEqual(byHour);
  await fold(new ManualClock(hour + 2 * HOUR_MS + MINUTES_KEPT_MS));
  expect(await rows()).toMatchObject({ rows: 4n });
  expect(await counted('code', 60)).toEqual(byHour);
  expect(await counted('key', 24 * 60)).toContainEqual(['key_b', 90]);
});

test('the latest of each code are kept in full, and everything for a month', async () => {
  const recorder = open();
  recorder.note(refused('invalid_value'));
  for (let i = 0; i < DETAILS_PER_CODE + 50; i++) {
    recorder.note(refused('rate_limited'));
    rig.clock.advance(200);
  }
  await recorder[Symbol.asyncDispose]();
  expect(await listed()).toHaveLength(DETAILS_PER_CODE + 51);
  const task = refusalsTask(rig.parts);
  await task.run();
  const rows = await listed();
  expect(rows).toHaveLength(DETAILS_PER_CODE + 1);
  expect(rows.at(-1)?.code).toBe('invalid_value');
  expect(rows[0]?.request.localeCompare(rows[1]?.request ?? '')).toBe(1);
  expect((await counted('code', 60)).at(-1)).toEqual(['rate_limited', DETAILS_PER_CODE + 50]);
  const later = new ManualClock(rig.clock.now() + 31 * DAY_MS);
  await refusalsTask({ store: rig.store, clock: later }).run();
  expect([await counted(), await listed()]).toEqual([[], []]);
});
