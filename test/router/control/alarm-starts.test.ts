/** Since when alarms hold. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { AlarmTimes } from '../../../router/control/platform/alarm-times.ts';
import { type AlarmFacts, alarmsFrom, faultsIn } from '../../../router/control/platform/alarms.ts';
import { FaultStarts } from '../../../router/control/platform/fault-starts.ts';
import type { Fault } from '../../../router/history/faults.ts';
import { DECLARED_DEAD } from '../../../router/ledger/operations.ts';
import { makeLog } from '../../../shared/log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { namesOf, NOTHING, NOW, routerOf, seenBy } from './alarm-facts.ts';

test('an alarm tells since when its cause holds, or else since when it was noticed', () => {
  const lostHosts = [
    { name: 'gpu-1', since: NOW - 60_000 },
    { name: 'gpu-2', since: NOW - 120_000 },
  ];
  const unready = (...names: string[]) => [seenBy({ unready_workers: namesOf(...names) })];
  const facts = { ...NOTHING, lostHosts, seen: unready('gpu-3/vllm') };
  const times = new AlarmTimes();
  const recorded = new Map<string, number>();
  const at = (ms: number) => new Date(ms).toISOString();
  const sinces = (all: AlarmFacts, now: number) =>
    times.since(alarmsFrom(all), { recorded, now }).map(({ kind, since }) => [kind, since]);
  const lost = ['host_lost', at(NOW - 120_000)];
  expect(sinces(facts, NOW)).toEqual([['worker_not_ready', at(NOW)], lost]);
  expect(sinces({ ...facts, seen: unready('gpu-4/vllm') }, NOW + 5_000)).toEqual([
    ['worker_not_ready', at(NOW)],
    lost,
  ]);
  expect(sinces({ ...facts, seen: unready() }, NOW + 10_000)).toEqual([lost]);
  expect(sinces(facts, NOW + 15_000)).toEqual([['worker_not_ready', at(NOW + 15_000)], lost]);
});

test('an alarm that was recorded before this router started holds since then', () => {
  const alarms = alarmsFrom({ ...NOTHING, seen: [seenBy({ failing_tasks: ['fold usage'] })] });
  const recorded = new Map([
    ['task_failing fold usage', NOW - 60_000],
    ['task_failing forget jobs', NOW - 90_000],
  ]);
  const [alarm] = new AlarmTimes().since(alarms, { recorded, now: NOW });
  expect(alarm?.since).toBe(new Date(NOW - 60_000).toISOString());
});

test('an alarm that was noticed before this router could not look for a while holds since now', () => {
  const alarms = alarmsFrom({ ...NOTHING, seen: [seenBy({ failing_tasks: ['fold usage'] })] });
  const times = new AlarmTimes();
  const sinceAt = (now: number) => times.since(alarms, { recorded: new Map(), now })[0]?.since;
  const first = new Date(NOW).toISOString();
  expect(sinceAt(NOW)).toBe(first);
  expect(sinceAt(NOW + 60_000)).toBe(first);
  const later = NOW + 30 * 60_000;
  expect(sinceAt(later)).toBe(new Date(later).toISOString());
});

test('an alarm of models or workers holds since the first of their faults, by the history', () => {
  const seen = [
    seenBy({
      models_without_workers: namesOf('a', 'b'),
      unready_workers: namesOf('gpu-1/vllm/0'),
    }),
  ];
  const troubled = [{ kind: 'degraded', model: 'c', region: 'eu' } as const];
  const facts = { ...NOTHING, seen, troubled };
  const starts = [NOW - 60_000, NOW - 120_000, NOW - 180_000, NOW - 240_000];
  const faults = faultsIn(facts);
  expect(faults).toEqual([
    { kind: 'unserved', model: 'a', region: null },
    { kind: 'unserved', model: 'b', region: null },
    { kind: 'unready', name: 'gpu-1/vllm/0' },
    { kind: 'degraded', model: 'c', region: 'eu' },
  ]);
  const startOf: AlarmFacts['startOf'] = (fault) =>
    starts[faults.findIndex((one) => isDeepStrictEqual(one, fault))] ?? null;
  const sinces = alarmsFrom({ ...facts, startOf }).map(({ kind, since }) => [kind, since]);
  const at = (ms: number) => new Date(ms).toISOString();
  expect(sinces).toEqual([
    ['no_worker', at(NOW - 120_000)],
    ['worker_not_ready', at(NOW - 180_000)],
    ['model_degraded', at(NOW - 240_000)],
  ]);
});

test('an alarm of routers holds since what the store knows of them', () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const routers = [
    routerOf({ version: '0.1.0' }),
    routerOf({ started: BigInt(NOW - 5_000) }),
    routerOf({ started: BigInt(NOW - 9_000) }),
    routerOf({ beat: DECLARED_DEAD, recent_at: BigInt(NOW - 70_000) }),
  ];
  const seen = [seenBy({ heartbeat_age_ms: 20_000, hold_ttl_ms: 30_000 })];
  const sinces = alarmsFrom({ ...NOTHING, routers, seen }).map(({ kind, since }) => [kind, since]);
  expect(sinces).toEqual([
    ['store_late', at(NOW - 20_000)],
    ['router_lost', at(NOW - 70_000)],
    ['version_skew', at(NOW - 9_000)],
  ]);
});

const A: Fault = { kind: 'unserved', model: 'a', region: null };
const B: Fault = { kind: 'unready', name: 'gpu-1/vllm' };

type Starts = readonly (number | null)[];

/** Each read ends when the test ends it. */
function startsWith(lines: string[] = []) {
  const clock = new ManualClock(NOW);
  const reads: (PromiseWithResolvers<Starts> & Readonly<{ faults: readonly Fault[] }>)[] = [];
  const read = async (faults: readonly Fault[]) => {
    const one = { ...Promise.withResolvers<Starts>(), faults };
    reads.push(one);
    return await one.promise;
  };
  const log = makeLog('test', 'info', { write: (line) => void lines.push(line) });
  return { clock, reads, starts: new FaultStarts({ clock, log, read }) };
}

test('starts that are read slowly are in a later answer, and are read once', async () => {
  const { clock, reads, starts } = startsWith();
  const first = starts.of([A]);
  clock.advance(1_000);
  expect((await first)(A)).toBeNull();
  const second = starts.of([A, B]);
  reads[0]?.resolve([NOW - 60_000]);
  expect((await second)(A)).toBe(NOW - 60_000);
  expect(reads.map(({ faults }) => faults)).toEqual([[A]]);
  const third = starts.of([A, B]);
  reads[1]?.resolve([null]);
  const startOf = await third;
  expect([startOf(A), startOf(B)]).toEqual([NOW - 60_000, NOW + 1_000]);
  expect(reads.map(({ faults }) => faults)).toEqual([[A], [B]]);
});

test('the start of a fault that ended while it was read is read again for the next', async () => {
  const { clock, reads, starts } = startsWith();
  const first = starts.of([A]);
  clock.advance(1_000);
  await first;
  await starts.of([]);
  const again = starts.of([A]);
  reads[0]?.resolve([NOW - 60_000]);
  expect((await again)(A)).toBeNull();
  const next = starts.of([A]);
  reads[1]?.resolve([NOW]);
  expect((await next)(A)).toBe(NOW);
});

test('a read that fails is logged, and tried again', async () => {
  const lines: string[] = [];
  const { reads, starts } = startsWith(lines);
  const first = starts.of([A]);
  reads[0]?.reject(new Error('the store is away'));
  expect((await first)(A)).toBeNull();
  expect(lines).toEqual([expect.stringContaining('the starts of faults could not be read')]);
  const next = starts.of([A]);
  reads[1]?.resolve([NOW]);
  expect((await next)(A)).toBe(NOW);
});

test('the starts of more faults than one read looks up are read one part after the other', async () => {
  const { reads, starts } = startsWith();
  const many = Array.from({ length: 65 }, (_, n): Fault => ({ ...B, name: `gpu-${n}/vllm` }));
  const first = starts.of(many);
  reads[0]?.resolve(Array.from({ length: 64 }, () => NOW));
  expect((await first)(many[64] as Fault)).toBeNull();
  void starts.of(many);
  expect(reads[1]?.faults).toEqual(many.slice(64));
  reads[1]?.resolve([NOW]);
});
