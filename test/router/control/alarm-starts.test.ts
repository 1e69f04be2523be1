/** Since when alarms hold. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { AlarmTimes } from '../../../router/control/platform/alarm-times.ts';
import { type AlarmFacts, alarmsFrom, faultsIn } from '../../../router/control/platform/alarms.ts';
import { DECLARED_DEAD } from '../../../router/ledger/operations.ts';
import { namesOf, NOTHING, NOW, routerOf, seenBy } from './alarm-facts.ts';

test('an alarm tells since when its cause holds, or else since when it was noticed', () => {
  const lostHosts = [
    { name: 'gpu-1', since: NOW - 60_000 },
    { name: 'gpu-2', since: NOW - 120_000 },
  ];
  const unready = (...names: string[]) => [seenBy({ unready_workers: namesOf(...names) })];
  const facts = { ...NOTHING, lostHosts, seen: unready('gpu-3/vllm') };
  const times = new AlarmTimes();
  const at = (ms: number) => new Date(ms).toISOString();
  const sinces = (all: AlarmFacts, now: number) =>
    times.since(alarmsFrom(all), now).map(({ kind, since }) => [kind, since]);
  const lost = ['host_lost', at(NOW - 120_000)];
  expect(sinces(facts, NOW)).toEqual([['worker_not_ready', at(NOW)], lost]);
  expect(sinces({ ...facts, seen: unready('gpu-4/vllm') }, NOW + 5_000)).toEqual([
    ['worker_not_ready', at(NOW)],
    lost,
  ]);
  expect(sinces({ ...facts, seen: unready() }, NOW + 10_000)).toEqual([lost]);
  expect(sinces(facts, NOW + 15_000)).toEqual([['worker_not_ready', at(NOW + 15_000)], lost]);
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
    { kind: 'unready', agent: 'gpu-1', worker: 'vllm/0' },
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
