/** The usage row says when its request reached its stages, how long it waited, and what failed. */
import { expect, test } from 'vitest';
import { readStream } from '../../support/sse.ts';
import { MODEL, refusalOf, RequestRig } from './rig.ts';

const RICH = 10n ** 12n;

test('a request that a worker takes at once has no wait and no failed attempt', async () => {
  await using rig = await RequestRig.start();
  const customer = await rig.customer(RICH);
  const { stream, seen } = await rig.begin(customer);
  stream.content(20, 1);
  stream.finish(20, 3);
  await seen;
  const [row] = await rig.rows(customer.organization);
  const { times } = row ?? {};
  expect(times).toMatchObject({ waitedMs: null, failedAttempts: [] });
  const { bodyMs = NaN, admittedMs = NaN, pickedMs } = times ?? {};
  expect(bodyMs).toBeGreaterThanOrEqual(0);
  expect(admittedMs).toBeGreaterThanOrEqual(bodyMs);
  expect(pickedMs).toBeGreaterThanOrEqual(admittedMs);
  expect(row?.ttftMs).toBeGreaterThanOrEqual(pickedMs ?? NaN);
});

test('a request that waited says how long, and was picked after that', async () => {
  await using rig = await RequestRig.start();
  rig.agent.report(rig.models, { slots: 1 });
  const customer = await rig.customer(RICH);
  const first = await rig.begin(customer);
  const second = rig.post(customer).then((response) => readStream(response));
  await rig.until(() => rig.waitingFor(MODEL) > 0);
  await rig.pass(1_500);
  first.stream.content(20, 1);
  first.stream.finish(20, 1);
  const next = await rig.agent.next();
  next.content(20, 1);
  next.finish(20, 1);
  await Promise.all([first.seen, second]);
  const [row] = await rig.rows(customer.organization);
  const { times } = row ?? {};
  expect(times?.waitedMs).toBeGreaterThanOrEqual(1_500);
  expect(times?.pickedMs).toBeGreaterThanOrEqual((times?.admittedMs ?? NaN) + 1_500);
  expect(times?.failedAttempts).toEqual([]);
});

test('a request that waited in vain was never picked', async () => {
  await using rig = await RequestRig.start({ waitMsMax: 5_000 });
  rig.agent.report(rig.models, { slots: 1 });
  await rig.begin(await rig.customer(RICH));
  const other = await rig.customer(RICH);
  const late = rig.post(other).then((response) => readStream(response));
  await rig.until(() => rig.waitingFor(MODEL) > 0);
  await rig.pass(5_500);
  expect(refusalOf(await late)).toEqual([503, 'overloaded']);
  await rig.until(() => rig.underWay.size === 1);
  const [row] = await rig.rowsNow(other.organization);
  expect(row?.times).toMatchObject({ pickedMs: null, failedAttempts: [] });
  expect(row?.times?.waitedMs).toBeGreaterThanOrEqual(5_000);
});

test('an attempt that fails is kept with its code, when it began and how long it took', async () => {
  await using rig = await RequestRig.start();
  const customer = await rig.customer(RICH);
  const { stream, seen } = await rig.begin(customer);
  await rig.pass(1_200);
  stream.fail();
  await seen;
  const [row] = await rig.rows(customer.organization);
  const [failed, ...more] = row?.times?.failedAttempts ?? [];
  expect(more).toEqual([]);
  expect(failed).toMatchObject({ error: 'engine_failed', afterMs: row?.times?.pickedMs });
  expect(failed?.durationMs).toBeGreaterThanOrEqual(1_200);
});

test('a token that only the router got is no first token of its client', async () => {
  await using rig = await RequestRig.start();
  const firstTokens: (boolean | undefined)[] = [];
  for (const isStreamed of [true, false]) {
    const customer = await rig.customer(RICH);
    const { stream, seen } = await rig.begin(customer, { stream: isStreamed });
    stream.content(20, 1);
    await rig.pass(100);
    stream.fail();
    await seen.catch(() => null);
    const [row] = await rig.rows(customer.organization);
    expect(row?.status).toBe(502);
    firstTokens.push(row && row.ttftMs !== null);
  }
  expect(firstTokens).toEqual([true, false]);
});
