/** What a router makes of the evictions that an agent reports, on a manual clock. */
import { describe, expect, test } from 'vitest';
import type { Forecast, LoadReport } from '../../../router/routing/forecast.ts';
import { Forecasts, type PromptQuery } from '../../../router/routing/forecasts.ts';
import { packChunks, promptOf } from '../../../router/routing/prompt.ts';
import { seededRandom } from '../../../shared/random.ts';
import { Load, WorkerLoad } from '../../../shared/wire/messages.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const LOAD: LoadReport = {
  boot: 'engine-1',
  kvUse: 0,
  kvTokens: 1_000_000,
  running: 0,
  waiting: 0,
  runningUsage: true,
  prefixQueryTokens: 0,
};

class Bench {
  readonly clock = new ManualClock();
  readonly forecasts = new Forecasts({ clock: this.clock, random: seededRandom(3) });
  readonly forecast = this.forecasts.join('w') as Forecast;

  constructor() {
    this.evicted(null);
  }

  /** Reports what the engine has evicted. */
  evicted(seconds: number | null): void {
    const evictedMs = seconds === null ? null : 1000 * seconds;
    this.forecast.report({ ...LOAD, kvEvents: { evictedMs } });
  }

  pass(seconds: number): void {
    this.clock.advance(1000 * seconds);
  }

  /** A request that takes ten seconds. */
  run(request: PromptQuery): void {
    const flight = this.forecasts.dispatched(request, this.forecast);
    this.pass(10);
    this.forecast.ended(flight, { promptTokens: request.promptTokens, cachedTokens: 0 });
  }

  /** The chunks that the worker should have of this prompt. */
  chunks(request: PromptQuery): number {
    this.forecasts.index.match(request.prompt);
    return Math.max(0, this.forecasts.index.depth(this.forecast.number) - 1);
  }
}

/** A prompt of this many chunks that shares none with a prompt of another name. */
function prompt(name: string, chunks = 10): PromptQuery {
  const text = `${name} is told. `.repeat(2048).slice(0, 1024 * chunks + 10);
  return { model: 'm', prompt: promptOf('m|salt', text), promptTokens: 256 * chunks };
}

test('what was last used before the horizon is not expected, and what was used later is', () => {
  const bench = new Bench();
  const [old, late] = [prompt('old'), prompt('late')];
  bench.run(old);
  bench.pass(60);
  bench.run(late);
  bench.pass(30);
  bench.evicted(null);
  expect([bench.chunks(old), bench.chunks(late)]).toEqual([10, 10]);
  bench.evicted(50);
  expect([bench.chunks(old), bench.chunks(late)]).toEqual([0, 10]);
});

test('a prompt that is used again is kept, however old it is', () => {
  const bench = new Bench();
  const again = prompt('again');
  bench.run(again);
  bench.pass(60);
  bench.run(again);
  bench.run(prompt('other'));
  bench.evicted(30);
  expect(bench.chunks(again)).toBe(10);
});

test('an answer keeps its prompt until it ends: only then it begins to age', () => {
  const bench = new Bench();
  const long = prompt('long');
  const flight = bench.forecasts.dispatched(long, bench.forecast);
  for (let nth = 0; nth < 10; nth++) bench.run(prompt(`short ${nth}`));
  bench.forecast.ended(flight, { promptTokens: 2_560, cachedTokens: 0 });
  bench.evicted(50);
  expect(bench.chunks(long)).toBe(10);
  expect(bench.chunks(prompt('short 1'))).toBe(0);
  expect(bench.chunks(prompt('short 8'))).toBe(10);
  bench.pass(1);
  bench.run(prompt('last'));
  bench.evicted(5);
  expect(bench.chunks(long)).toBe(0);
});

test('the prompts of other routers age in the same way', () => {
  const bench = new Bench();
  const { prompt: foreign, promptTokens } = prompt('foreign');
  const name = { from: 'other', stream: 1 };
  const chunks = packChunks(foreign);
  const tokens = { promptTokens, uncachedTokens: promptTokens };
  bench.forecast.echo([{ at: 'dispatched', ...name, chunks, ...tokens }]);
  bench.pass(100);
  bench.forecast.echo([{ at: 'over', ...name }]);
  bench.run(prompt('later'));
  bench.evicted(50);
  expect(bench.chunks(prompt('foreign'))).toBe(10);
  bench.run(prompt('last'));
  bench.evicted(5);
  expect(bench.chunks(prompt('foreign'))).toBe(0);
});

test('a horizon that a late report puts further back changes nothing', () => {
  const bench = new Bench();
  bench.run(prompt('old'));
  bench.pass(60);
  bench.run(prompt('late'));
  bench.evicted(50);
  bench.evicted(5_000);
  expect(bench.chunks(prompt('old'))).toBe(0);
  expect(bench.chunks(prompt('late'))).toBe(10);
});

test('when events stop, the age of what was last evicted is the estimate of the capacity', () => {
  const bench = new Bench();
  for (let nth = 0; nth < 20; nth++) bench.run(prompt(`prompt ${nth}`, 20));
  bench.evicted(100);
  expect(bench.chunks(prompt('prompt 5', 20))).toBe(0);
  expect(bench.chunks(prompt('prompt 15', 20))).toBe(20);
  for (let nth = 20; nth < 30; nth++) bench.run(prompt(`prompt ${nth}`, 20));
  bench.forecast.report(LOAD);
  expect(bench.chunks(prompt('prompt 15', 20))).toBe(0);
  expect(bench.chunks(prompt('prompt 25', 20))).toBe(20);
});

test('a worker without KV events is estimated as before', () => {
  const bench = new Bench();
  const [plain, followed] = [bench.forecasts.join('plain') as Forecast, bench.forecast];
  plain.report(LOAD);
  const flight = bench.forecasts.dispatched(prompt('one'), plain);
  const clock = plain.stored;
  plain.ended(flight, { promptTokens: 2_560, cachedTokens: 0 });
  expect(plain.stored).toBe(clock);
  bench.run(prompt('one'));
  expect(followed.stored).toBe(clock);
});

test('audits and predicted charges believe no report of evictions, and routing does', () => {
  const bench = new Bench();
  bench.run(prompt('one'));
  for (const seconds of [0, 0, 5]) {
    bench.run(prompt('other'));
    bench.evicted(seconds);
  }
  expect(bench.chunks(prompt('one'))).toBe(0);
  const flight = bench.forecasts.dispatched(prompt('one'), bench.forecast);
  expect([flight.depth, flight.ownDepth]).toEqual([1, 11]);
  expect(flight.cachedTokens).toBe(0);
});

test('they believe a restart of the engine, and answers that miss again and again', () => {
  const bench = new Bench();
  const again = prompt('again');
  const ownDepth = () => {
    const flight = bench.forecasts.dispatched(again, bench.forecast);
    bench.forecast.lost(flight);
    return flight.ownDepth;
  };
  bench.run(again);
  bench.evicted(0);
  expect(ownDepth()).toBe(11);
  bench.forecast.report({ ...LOAD, boot: 'engine-2', kvEvents: { evictedMs: 0 } });
  expect(ownDepth()).toBe(0);

  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => prompt(name));
  for (const each of names) bench.run(each);
  bench.evicted(0);
  for (const each of names.slice(0, 3)) bench.run(each);
  bench.evicted(0);
  const flight = bench.forecasts.dispatched(prompt('d'), bench.forecast);
  expect(flight.ownDepth).toBe(1);
});

describe('on the link', () => {
  const worker = {
    worker: 'engine',
    engine: 'vllm 0.32.0',
    boot: 'b',
    phase: 'ready',
    models: ['m'],
    runningUsage: true,
    salted: true,
    running: 0,
    waiting: 0,
    slots: 1,
    kvUse: 0,
    kvTokens: null,
    prefixHitTokens: 0,
    prefixQueryTokens: 0,
    lastStream: 0,
    gpus: [],
    notes: [],
  };
  const told = { ...worker, kvEvents: { evictedMs: 1_000 } };

  test('an older agent says nothing of evictions, and an older router reads over them', () => {
    const loadOf = (of: object) => ({ type: 'load', workers: [of] });
    expect(Load.parse(loadOf(worker)).workers[0]?.kvEvents).toBeUndefined();
    expect(Load.parse(loadOf(told)).workers[0]?.kvEvents).toEqual({ evictedMs: 1_000 });
    expect(WorkerLoad.omit({ kvEvents: true }).parse(told)).toEqual(worker);
  });

  test.each([-1, 0.5, '1', {}])(
    'an agent that reports evictions %s ms ago is refused',
    (evictedMs) => {
      expect(WorkerLoad.safeParse({ ...worker, kvEvents: { evictedMs } }).success).toBe(false);
    },
  );
});
